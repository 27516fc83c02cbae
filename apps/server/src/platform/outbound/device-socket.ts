import { connect, type TLSSocket } from 'node:tls'
import { findDeviceAddresses } from './device-address.ts'
import { DeviceCallError } from './device-fault.ts'
import { DEVICE_LIMITS, type DeviceLimits } from './device-limits.ts'
import { pinnedTo } from './pinned-lookup.ts'
import type { ResolveHost } from './resolve-host.ts'
import { traceConnect } from './trace-call.ts'

/**
 * Opens encrypted connections to devices that do not use HTTP. It allows the same addresses as DeviceCall.
 */
export interface DeviceSocket {
  readonly limits: DeviceLimits
  /**
   * Connects without verifying the certificate, because devices sign their own. The caller must check the
   * certificate before it sends anything. `session` is the TLS session of an earlier connection to the same
   * device. Throws DeviceCallError, or the signal's reason.
   */
  open(
    target: { host: string; port: number },
    options?: { signal?: AbortSignal | undefined; session?: Buffer | undefined },
  ): Promise<TLSSocket>
}

export function createDeviceSocket(options: {
  resolve: ResolveHost
  limits?: Partial<DeviceLimits> | undefined
}): DeviceSocket {
  const limits = { ...DEVICE_LIMITS, ...options.limits }

  const open: DeviceSocket['open'] = async ({ host, port }, { signal, session } = {}) => {
    const addresses = await findDeviceAddresses(host, {
      resolve: options.resolve,
      timeoutMs: limits.lookupMs,
    })
    signal?.throwIfAborted()
    const opened = Promise.withResolvers<void>()
    const socket = connect(
      {
        host,
        port,
        lookup: pinnedTo(addresses),
        // The caller pins the certificate, because no authority vouches for a device in the local network.
        rejectUnauthorized: false,
        ...(session && { session }),
      },
      opened.resolve,
    )
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      socket.destroy()
    }, limits.answerMs)
    const abort = () => socket.destroy()
    signal?.addEventListener('abort', abort)
    socket.on('error', opened.reject)
    socket.once('close', () => opened.reject(new Error('The connection ended in the handshake.')))
    try {
      await opened.promise
      return socket
    } catch (cause) {
      socket.destroy()
      signal?.throwIfAborted()
      throw new DeviceCallError(isLate ? 'too-slow' : 'unreachable', { wasSent: false, cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  return { limits, open: (target, options) => traceConnect(target, () => open(target, options)) }
}
