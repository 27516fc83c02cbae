/** The ports of Moonraker's API, without and with TLS. They serve no camera pictures. */
const MOONRAKER_PORTS: ReadonlySet<string> = new Set(['7125', '7130'])

/** A server on the host of a printer, and a path on this server. */
export interface CameraAddress {
  address: string
  path: string
}

/**
 * Returns the server and the path of the snapshot URL that Moonraker reports. Returns null if the URL has another host
 * than the printer, because a printer could name any machine in the network. A relative URL belongs to the printer's
 * web interface. This is port 80 if `printerAddress` has a port of Moonraker's API, otherwise it is `printerAddress`.
 */
export function findCameraAddress(printerAddress: string, snapshotUrl: string): CameraAddress | null {
  const printer = new URL(printerAddress)
  const url = URL.parse(snapshotUrl, printer.href)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!isWeb || url.hostname !== printer.hostname) return null
  const path = `${url.pathname}${url.search}`
  if (/^(?:[a-z]+:|\/\/)/i.test(snapshotUrl)) return { address: url.origin, path }
  const isMoonraker = MOONRAKER_PORTS.has(printer.port)
  return { address: isMoonraker ? `http://${printer.hostname}` : printerAddress, path }
}
