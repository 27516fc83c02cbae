import { readText } from '../../../../platform/outbound/read-body.ts'
import { traceCall } from '../../../../platform/outbound/trace-call.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

export interface ChatEndpoint {
  /** The base URL without a trailing slash, for example `https://api.example.com/v1`. */
  baseUrl: string
  model: string
  apiKey: string | null
}

/** Limits for a response, which contains a title, some tags and a few sentences. */
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_ANSWER_TOKENS = 700
const DEADLINE_MS = MINUTE_MS

/** Thrown if the endpoint refused the request. It would refuse the request again, so there is no retry. */
export class RefusedError extends Error {
  override name = 'RefusedError'
}

export interface ChatQuestion {
  system: string
  text: string
  png: Uint8Array
}

/**
 * Sends a picture and a question to an OpenAI-compatible endpoint. Returns the text of the first choice. Redirects are
 * not followed, because the API key is only for that host. Errors contain no part of the response, because a response
 * may repeat the request. Throws RefusedError for a 4xx status other than 408 and 429. Network errors are thrown
 * unchanged.
 */
export async function askChat(
  endpoint: ChatEndpoint,
  question: ChatQuestion,
  signal: AbortSignal,
): Promise<string> {
  const image = `data:image/png;base64,${Buffer.from(question.png).toString('base64')}`
  const url = new URL(`${endpoint.baseUrl}/chat/completions`)
  const response = await traceCall({ method: 'POST', url }, () =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
      headers: {
        'content-type': 'application/json',
        ...(endpoint.apiKey !== null && { authorization: `Bearer ${endpoint.apiKey}` }),
      },
      body: JSON.stringify({
        model: endpoint.model,
        temperature: 0.2,
        max_tokens: MAX_ANSWER_TOKENS,
        messages: [
          { role: 'system', content: question.system },
          {
            role: 'user',
            content: [
              { type: 'text', text: question.text },
              { type: 'image_url', image_url: { url: image } },
            ],
          },
        ],
      }),
    }),
  )
  if (!response.ok) {
    await response.body?.cancel()
    const { status } = response
    const message = `The endpoint answered ${status}.`
    throw status < 500 && status !== 429 && status !== 408 ? new RefusedError(message) : new Error(message)
  }
  return contentOf(
    JSON.parse(await readText(response, MAX_ANSWER_BYTES, () => new Error('The answer is too long.'))),
  )
}

/** Returns `choices[0].message.content`. */
function contentOf(answer: unknown): string {
  const content = ['choices', 0, 'message', 'content'].reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    answer,
  )
  if (typeof content !== 'string') throw new Error('The answer has no text.')
  return content
}
