import { readFile } from 'node:fs/promises'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'

const GUIDE = new URL('../../../../docs/integration.md', import.meta.url)
const SOME_ID = '01890000-0000-7000-8000-000000000000'

interface CurlCall {
  method: string
  url: URL
  body: string | undefined
}

/**
 * Splits a shell command into words. Replaces each variable whose name ends in ID with an id, and each other variable
 * with a word.
 */
function wordsOf(command: string): string[] {
  const parts = command.matchAll(/'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"]+/gs)
  return [...parts].map(([part]) => {
    if (part.startsWith("'")) return part.slice(1, -1)
    const text = part.startsWith('"') ? part.slice(1, -1).replace(/\\(["\\$])/g, '$1') : part
    return text
      .replace(/\$BASE\b/g, 'http://guide')
      .replace(/\$\w*ID\b/g, SOME_ID)
      .replace(/\$\w+/g, 'word')
  })
}

/** Returns the text fields of a `curl` form as JSON. Leaves out its files. */
const formOf = (words: readonly string[]): string =>
  JSON.stringify(
    Object.fromEntries(
      words
        .filter((_, at) => words[at - 1] === '-F')
        .map((field) => field.split('='))
        .filter(([, value]) => !value?.startsWith('@')),
    ),
  )

function readCurl(command: string): CurlCall {
  const words = wordsOf(command)
  const after = (option: string) => words[words.indexOf(option) + 1]
  const body = words.includes('-d') ? after('-d') : words.includes('-F') ? formOf(words) : undefined
  const method = words.includes('-X') ? after('-X') : body === undefined ? 'GET' : 'POST'
  const url = words.find((word) => word.startsWith('http://guide'))
  return { method: method ?? '', url: new URL(url ?? ''), body }
}

/** Returns every curl command in the shell blocks of the guide. A command or a quoted text may span several lines. */
function readCalls(guide: string): CurlCall[] {
  const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  )
  const commands = blocks.flatMap((block) => block.split(/(?=\bcurl )/).slice(1))
  // Cut off what follows the command: a pipe, the end of a substitution, or the next line.
  return commands.map((command) => readCurl(command.replace(/(\| jq.*|\)\n.*)$/s, '')))
}

const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

describe('the calls in docs/integration.md', () => {
  it('docs/integration.md shows existing calls with valid bodies and queries', async () => {
    const app = await buildTestApp()
    const calls = readCalls(await readFile(GUIDE, 'utf8'))
    const find = ({ method, url }: CurlCall): Endpoint | undefined =>
      app.endpoints.all.find((each) => each.method === method && pathPattern(each.path).test(url.pathname))
    const wrong: string[] = []
    for (const call of calls) {
      const endpoint = find(call)
      const name = `${call.method} ${call.url.pathname}`
      if (!endpoint) wrong.push(`${name}: no such call`)
      const body = call.body === undefined ? undefined : (JSON.parse(call.body) as unknown)
      const parts = [
        [endpoint?.body, body],
        [endpoint?.query, Object.fromEntries(call.url.searchParams)],
      ] as const
      for (const [schema, value] of parts) {
        const result = schema ? z.safeParse(schema, value) : { success: true as const }
        if (!result.success) wrong.push(`${name}: ${z.prettifyError(result.error)}`)
      }
    }
    console.info(`calls of the guide that are wrong ${wrong.length} of ${calls.length}`)
    expect(wrong).toEqual([])
    const shown = new Set(calls.map(find))
    const forKeys = app.endpoints.all.filter(({ access }) => typeof access === 'object')
    expect(forKeys.filter((endpoint) => !shown.has(endpoint))).toEqual([])
  })
})
