import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

interface Reached {
  path: string
  headers: Record<string, string | string[] | undefined>
  form: Record<string, string>
}

/**
 * Starts a provider with fixed responses by path, as GitHub, Discord or Microsoft document them. It answers any other
 * path with 404.
 */
export async function aPlainServer(
  answers: (base: string) => Readonly<Record<string, unknown>>,
): Promise<{ base: string; host: string; reached: Reached[] }> {
  const reached: Reached[] = []
  const base = await listen((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ''
      const { headers } = request
      reached.push({ path, headers, form: Object.fromEntries(new URLSearchParams(body)) })
      const answer = answers(base)[path]
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    })
  })
  return { base, host: new URL(base).host, reached }
}
