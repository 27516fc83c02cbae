import type { IncomingHttpHeaders } from 'node:http'

/** A request, independent of the protocol. */
export interface PrinterRequest {
  method: string
  url: URL
  /** The decoded path. */
  path: string
  headers: IncomingHttpHeaders
  /** Reads the body. It can be called only once. */
  body(): Promise<Buffer>
}

export interface PrinterReply {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export const json = (status: number, body: unknown): PrinterReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Sends a file, or the part of it that `Range: bytes=0-99` names. */
export function download(request: PrinterRequest, bytes: Buffer): PrinterReply {
  const headers = { 'content-type': 'application/octet-stream' }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined) return { status: 200, headers, body: bytes }
  const last = Math.min(to ? Number(to) : bytes.length - 1, bytes.length - 1)
  const part = bytes.subarray(Number(from), last + 1)
  const range = `bytes ${from}-${last}/${bytes.length}`
  return { status: 206, headers: { ...headers, 'content-range': range }, body: part }
}

export const empty = (status: number): PrinterReply => ({ status })

/** The parsed JSON body, or an empty object. */
export async function readJson(request: PrinterRequest): Promise<Record<string, unknown>> {
  const text = (await request.body()).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

export interface UploadForm {
  fileName: string
  bytes: Buffer
  fields: Record<string, string>
}

/** Reads a form with one file named `file`. */
export async function readForm(request: PrinterRequest): Promise<UploadForm | null> {
  const type = request.headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(await request.body()), {
    headers: { 'content-type': type },
  }).formData()
  const fields: Record<string, string> = {}
  let found: { fileName: string; bytes: Buffer } | null = null
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value
    else if (name === 'file') found = { fileName: value.name, bytes: Buffer.from(await value.arrayBuffer()) }
  }
  return found && { ...found, fields }
}
