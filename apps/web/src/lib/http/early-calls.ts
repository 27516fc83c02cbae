interface EarlyCall {
  /** The access token it was sent with; null for a public endpoint. */
  token: string | null
  answer: Promise<Response>
  /** Unix time in milliseconds. */
  begunAt: number
}

declare global {
  /** By their path with query; written by `public/first-view.js`. */
  var pegasusEarlyCalls: Record<string, EarlyCall> | undefined
}

/** An older answer might show what has changed since. */
const USABLE_MS = 10_000

/**
 * The answer to a call that the page began before the app's script arrived: once, with the same token, and not later than ten
 * seconds after its beginning. Null if there is none, or if it got no answer.
 */
export async function takeEarlyAnswer(path: string, token: string | null): Promise<Response | null> {
  const call = globalThis.pegasusEarlyCalls?.[path]
  if (!call) return null
  delete globalThis.pegasusEarlyCalls?.[path]
  if (call.token !== token || Date.now() - call.begunAt > USABLE_MS) return null
  return call.answer.catch(() => null)
}
