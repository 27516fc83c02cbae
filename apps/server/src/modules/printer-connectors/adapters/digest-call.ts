import type { DeviceAnswer, DeviceCall, DeviceRequest } from '../../../platform/outbound/device-call.ts'
import { type DigestChallenge, digestAuthorization, parseDigestChallenge } from './digest.ts'

const VERSION = { method: 'GET', path: '/api/version', maxBytes: 64 * 1024 } as const

/**
 * Returns a call that uses digest authentication. A printer lets each challenge expire (Prusa's firmware after 5 to 300
 * seconds), even in the middle of a visit. So a refused request is repeated once with the challenge from the refusal.
 * The body of an upload can be sent only once, so a new challenge is requested before each upload.
 */
export function createDigestCall(
  call: DeviceCall,
  { user, password }: { user: string; password: string },
): DeviceCall {
  let challenge: DigestChallenge | null = null
  let count = 0

  /** Returns whether the response contains a challenge, and stores this challenge for the next requests. */
  const isChallenged = ({ status, headers }: DeviceAnswer): boolean => {
    const next = status === 401 ? parseDigestChallenge(headers['www-authenticate']) : null
    if (!next) return false
    challenge = next
    count = 0
    return true
  }
  const send = (address: string, request: DeviceRequest): Promise<DeviceAnswer> => {
    if (!challenge) return call(address, request)
    count += 1
    const uri = `${new URL(address).pathname.replace(/\/+$/, '')}${request.path}`
    const { method, headers } = request
    const authorization = digestAuthorization(challenge, { method, uri, user, password, count })
    return call(address, { ...request, headers: { ...headers, authorization } })
  }

  return async (address, request) => {
    const version = { ...VERSION, signal: request.signal }
    const isUpload = typeof request.body === 'object'
    if (isUpload || !challenge) isChallenged(await call(address, version))
    const answer = await send(address, request)
    if (!isChallenged(answer)) return answer
    if (!isUpload) return send(address, request)
    // If the key is still accepted, only the challenge has expired during the upload, so the same upload may succeed
    // later.
    const { status } = await send(address, version)
    return status === 401 ? answer : { ...answer, status: 503 }
  }
}
