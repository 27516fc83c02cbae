import { STATUS_CODES } from 'node:http'
import { type JsonSchema, describeSchema } from './describe-schema.ts'

/** The parts of an OpenAPI document that the API docs page shows. */
export interface ApiDescription {
  info: { title: string; version: string }
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  summary?: string
  tags?: readonly string[]
  security?: readonly Readonly<Record<string, unknown>>[]
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: JsonSchema }[]
  requestBody?: { content: Readonly<Record<string, { schema?: JsonSchema }>> }
  responses?: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: JsonSchema }>> }>>
}

interface Call extends Operation {
  method: string
  path: string
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/**
 * The page's only style. It follows the reader's light or dark theme, and needs neither scripts nor other
 * files.
 */
export const API_DOCS_STYLE = `
:root{color-scheme:light dark;--ground:#f4f6f7;--surface:#fff;--line:#dde2e5;--ink:#1c2429;--quiet:#5b666d;--accent:#0d5f70}
@media(prefers-color-scheme:dark){:root{--ground:#14181b;--surface:#1b2024;--line:#2f363b;--ink:#e8ebed;--quiet:#9ba5ab;--accent:#7fd0e0}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 Inter,system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
p{color:var(--quiet);margin:.25rem 0 1rem;max-width:46rem}a{color:var(--accent)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0;margin:1rem 0}
details{background:var(--surface);border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0}
summary{cursor:pointer;padding:.6rem .8rem;overflow-wrap:anywhere}
summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
summary span{display:block;color:var(--quiet);font-size:.9rem}
.call{padding:0 .8rem .8rem}h3{font-size:.85rem;margin:1rem 0 .3rem;color:var(--quiet)}
code,pre{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
pre{overflow-x:auto;background:var(--ground);border-radius:.35rem;padding:.6rem .8rem;margin:0}
b{display:inline-block;min-width:4.2rem;font-size:.8rem;color:var(--accent)}`

/** Renders the API docs page from the OpenAPI document. */
export function apiDocsPage({ info, paths = {} }: ApiDescription): string {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Call => ({ ...operation, path, method })),
  )
  const groups = Map.groupBy(calls, ({ tags }) => tags?.[0] ?? 'other')
  const links = [...groups.keys()].map((tag) => `<li><a href="#${anchor(tag)}">${escape(tag)}</a></li>`)
  const sections = [...groups].map(
    ([tag, group]) =>
      `<section><h2 id="${anchor(tag)}">${escape(tag)}</h2>${group.map(callBlock).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(info.title)}</title><style>${API_DOCS_STYLE}</style></head>
<body><main><h1>${escape(info.title)}</h1>
<p>Version ${escape(info.version)}, ${calls.length} calls. Programs read <a href="/api/openapi.json">/api/openapi.json</a>.
A person's token comes from <code>POST /auth/login</code> and goes into <code>Authorization: Bearer …</code>; an API key goes
into <code>X-API-Key</code>.</p>
<nav aria-label="Groups of calls"><ul>${links.join('')}</ul></nav>${sections.join('')}</main></body></html>`
}

const anchor = (tag: string): string => tag.replace(/[^\w-]+/g, '-')

function callBlock(call: Call): string {
  const { method, path, summary = '', parameters = [], requestBody, responses = {} } = call
  const bodies = Object.entries(requestBody?.content ?? {})
  return `<details><summary><b>${escape(method.toUpperCase())}</b><code>${escape(path)}</code>
<span>${escape(summary)}${summary === '' ? '' : '. '}${openTo(call)}</span></summary><div class="call">${[
    ...parametersBlock(parameters),
    ...bodies.map(([type, { schema }]) => block(`Body, ${type}`, schema)),
    ...Object.entries(responses).map(([status, answer]) =>
      block(`${status} ${STATUS_CODES[status] ?? ''}`, Object.values(answer.content ?? {})[0]?.schema),
    ),
  ].join('')}</div></details>`
}

function openTo({ security }: Call): string {
  const schemes = (security ?? []).flatMap((one) => Object.keys(one))
  if (schemes.length === 0) return 'Open to anybody.'
  return schemes.includes('apiKey') ? 'Needs an API key.' : 'Needs a person’s token.'
}

function parametersBlock(parameters: NonNullable<Operation['parameters']>): string[] {
  return ['path', 'query', 'header'].flatMap((place) => {
    const here = parameters.filter((one) => one.in === place)
    const lines = here.map(({ name, required, schema = {} }) => {
      const preset = schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`
      return `${name}${required ? '' : '?'}: ${describeSchema(schema)}${preset}`
    })
    return lines.length === 0
      ? []
      : [`<h3>In the ${place}</h3><pre tabindex="0">${escape(lines.join('\n'))}</pre>`]
  })
}

function block(title: string, schema: JsonSchema | undefined): string {
  const words = schema ? `<pre tabindex="0">${escape(describeSchema(schema))}</pre>` : ''
  return `<h3>${escape(title)}</h3>${words}`
}
