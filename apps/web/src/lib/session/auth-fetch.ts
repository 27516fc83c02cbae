import { SECOND_MS } from '../format/durations.ts'

const ANSWER_WITHIN_MS = 30 * SECOND_MS
/** Time in ms after which a sign-out takes effect in the browser even if the server has not responded. */
const SIGN_OUT_WITHIN_MS = 5 * SECOND_MS

/**
 * A `fetch` for the auth client. Without it, the client waits forever for a response, blocks every other call in the
 * meantime, and shows whatever a refusal contains: a proxy's page, a parser's error, or `{}`. With this `fetch`, a call
 * ends in time, and its error message is the service's own sentence or empty.
 */
export async function fetchForAuth(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input)
  const timeout = AbortSignal.timeout(address.includes('/logout') ? SIGN_OUT_WITHIN_MS : ANSWER_WITHIN_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  const response = await fetch(input, { ...init, signal })
  return response.ok ? response : withoutStrangeWords(response)
}

async function withoutStrangeWords(response: Response): Promise<Response> {
  const { status, headers } = response
  const text = await response.text()
  return new Response(JSON.stringify(readRefusal(text)), { status, headers })
}

/** Parses the fields of a refusal. `msg` is a sentence or empty. */
function readRefusal(text: string): Record<string, unknown> {
  const body = parseObject(text)
  const { msg, message, error_description: description, detail } = body
  const sentence = [msg, message, description, detail].find((each) => typeof each === 'string')
  return { ...body, msg: sentence ?? '' }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}
