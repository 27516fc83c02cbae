const SECOND_MS = 1000
const ANSWER_WITHIN_MS = 30 * SECOND_MS
/** Whoever signs out is waiting to be gone, and is gone from here even if the server does not answer. */
const SIGN_OUT_WITHIN_MS = 5 * SECOND_MS

/**
 * `fetch` for the auth client, which waits for ever for an answer, holding back every other call meanwhile, and
 * takes whatever a refusal holds for a message: a proxy's page, a parser's complaint about it, or braces. With this
 * a call ends in time, and a message is the service's own sentence or empty.
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

/** The fields of a refusal, with a `msg` that is a sentence or empty. */
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
