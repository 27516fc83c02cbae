interface EarlyCall {
  /** The access token of the call; null for a public endpoint. */
  token: string | null
  answer: Promise<Response>
  /** Unix time in milliseconds. */
  begunAt: number
}

declare global {
  /** Maps a path with its query to the early call. Written by `public/first-view.js`. */
  var pegasusEarlyCalls: Record<string, EarlyCall> | undefined
}

/** Maximum age, in ms, of an early call whose response is used. An older response might show outdated data. */
const USABLE_MS = 10_000

/**
 * Returns the response to a call that the page sent before the app's script arrived. Each response is used once, only
 * with the same token, and within ten seconds of the call. Null if there is no such call, or if it failed.
 */
export async function takeEarlyAnswer(path: string, token: string | null): Promise<Response | null> {
  const call = globalThis.pegasusEarlyCalls?.[path]
  if (!call) return null
  delete globalThis.pegasusEarlyCalls?.[path]
  if (call.token !== token || Date.now() - call.begunAt > USABLE_MS) return null
  return call.answer.catch(() => null)
}
