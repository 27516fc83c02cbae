import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { judgeSignature, sha256Of } from './s3-signature.ts'

/** A fault of the store in one request. */
export type S3Fault =
  | { status: number; code: string }
  /** The store never responds. */
  | 'hang'
  /**
   * The store disconnects after half of its response, or without a response if that has no body. The request
   * has no effect.
   */
  | 'cut'
  /** The store sends the first half of its response, and never the rest. */
  | 'stall'
  /** The store confirms the request without doing anything. */
  | 'forget'
  /** The store keeps bytes that differ from those that were sent, as if they had been damaged in transit. */
  | 'damage'
  /** The store changes one stored byte and confirms the request. */
  | 'corrupt'
  /** The store performs the request, but its response is lost. */
  | 'lose-answer'
  | { delayMs: number }

export interface S3Call {
  method: string
  key: string
  /** The name of the operation, such as `PutObject`. */
  name: string
}

interface Stored {
  bytes: Buffer
  modifiedAt: Date
  etag: string
  /** The stored checksum. Null for an object without a checksum. */
  checksum: string | null
}

interface Upload {
  key: string
  begunAt: Date
  parts: Map<number, Buffer>
}

/** A store that implements the part of S3 that the server needs. It can be made to fail. */
export interface S3Server {
  url: string
  port: number
  bucket: string
  keys: { accessKeyId: string; secretAccessKey: string }
  region: string
  objects: Map<string, Stored>
  uploads: Map<string, Upload>
  calls: S3Call[]
  /** Returns the fault of a request, or null if the request succeeds. Called before each request. */
  fault: (call: S3Call) => S3Fault | null
  /**
   * The optional parts of responses. Simple stores return neither checksums nor an MD5 as the entity tag. When an
   * upload is completed, it must name the checksums of its parts if the store returned them, and only then.
   */
  reports: { checksums: boolean; md5: boolean }
  /** Number of requests that are being processed. */
  answering: number
  /** Number of entries on one page of a list. */
  pageSize: number
  close(): Promise<void>
}

const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest()
const base64Sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')

class Refusal extends Error {
  readonly status: number

  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: Uint8Array | string
}

/**
 * Starts the store on the given port, or on a free port. Like S3, it verifies the signature of each request.
 */
export async function startS3Server({ port = 0, region = 'us-east-1' } = {}): Promise<S3Server> {
  const server = createServer((request, response) => {
    store.answering += 1
    response.once('close', () => {
      store.answering -= 1
    })
    void answer(store, request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: listening } = server.address() as AddressInfo
  const store: S3Server = {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    bucket: 'workshop',
    keys: {
      accessKeyId: 'AKIACANARYACCESSKEY1',
      secretAccessKey: 'canary/secret+of+forty+characters/000001',
    },
    region,
    objects: new Map(),
    uploads: new Map(),
    calls: [],
    fault: () => null,
    reports: { checksums: true, md5: true },
    answering: 0,
    pageSize: 1000,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return store
}

/** Returns the variables that make the server use this store. */
export const s3Variables = ({ url, bucket, keys, region }: S3Server): Record<string, string> => ({
  STORAGE_URL: `s3://${bucket}?endpoint=${url}&region=${region}&path-style=true`,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
})

function nameOf(method: string, key: string, query: URLSearchParams): string {
  const isUpload = query.has('uploadId')
  const names: Record<string, string> = {
    GET: key !== '' ? 'GetObject' : query.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2',
    HEAD: 'HeadObject',
    PUT: isUpload ? 'UploadPart' : 'PutObject',
    POST: isUpload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload',
    DELETE: isUpload ? 'AbortMultipartUpload' : 'DeleteObject',
  }
  return names[method] ?? 'Unknown'
}

async function answer(store: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', store.url)
  const [, bucket = '', ...rest] = url.pathname.split('/')
  const key = rest.map(decodeURIComponent).join('/')
  const { method = '' } = request
  const call = { method, key, name: nameOf(method, key, url.searchParams) }
  store.calls.push(call)
  const fault = store.fault(call)
  const sent = await buffer(request)
  const body = fault === 'damage' && sent.length > 0 ? flipped(sent) : sent
  if (fault === 'hang') return
  if (typeof fault === 'object' && fault !== null && 'delayMs' in fault) await wait(fault.delayMs)
  try {
    const wrong = judgeSignature(request, body, store.keys, store.region)
    if (wrong !== null) throw new Refusal(wrong === 'AuthorizationHeaderMalformed' ? 400 : 403, wrong)
    if (typeof fault === 'object' && fault !== null && 'status' in fault)
      throw new Refusal(fault.status, fault.code)
    if (bucket !== store.bucket) throw new Refusal(404, 'NoSuchBucket')
    const isChange = method !== 'GET' && method !== 'HEAD'
    const isDropped = isChange && (fault === 'forget' || fault === 'cut')
    const answered = isDropped
      ? { headers: { etag: `"${randomUUID()}"` }, body: forgetful(call) }
      : carryOut(store, call, url.searchParams, request, body, fault === 'corrupt')
    if (fault === 'lose-answer' || (isDropped && fault === 'cut')) response.destroy()
    else send(response, answered, method, fault)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, message } = error
    // Real stores also repeat data from the request in their errors.
    const body = `<Error><Code>${message}</Code><Message>No.</Message><AWSAccessKeyId>${store.keys.accessKeyId}</AWSAccessKeyId><RequestId>1</RequestId></Error>`
    send(response, { status, body }, method)
  }
}

const forgetful = ({ name, key }: S3Call): string =>
  name === 'CreateMultipartUpload'
    ? `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>forgotten</UploadId></InitiateMultipartUploadResult>`
    : name === 'CompleteMultipartUpload'
      ? '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>'
      : ''

function send(
  response: ServerResponse,
  { status = 200, headers, body = '' }: Answer,
  method: string,
  fault: S3Fault | null = null,
): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'content-length': bytes.length, 'x-amz-request-id': '1', ...headers })
  if (method === 'HEAD') response.end()
  else if (fault === 'stall') response.write(bytes.subarray(0, bytes.length >> 1))
  else if (fault === 'cut') response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
  else response.end(bytes)
}

function carryOut(
  store: S3Server,
  { name, key }: S3Call,
  query: URLSearchParams,
  request: IncomingMessage,
  body: Buffer,
  isCorrupt: boolean,
): Answer {
  const found = store.objects.get(key)
  switch (name) {
    case 'PutObject':
      return putObject(store, key, request, body, isCorrupt)
    case 'GetObject':
      if (!found) throw new Refusal(404, 'NoSuchKey')
      return getObject(store, found, request.headers.range)
    case 'HeadObject':
      if (!found) return { status: 404 }
      return { headers: headersOf(store, found, found.bytes.length) }
    case 'DeleteObject':
      store.objects.delete(key)
      return { status: 204 }
    case 'ListObjectsV2':
      return listObjects(store, query)
    case 'ListMultipartUploads':
      return listUploads(store)
    case 'CreateMultipartUpload': {
      const id = randomUUID()
      store.uploads.set(id, { key, begunAt: new Date(), parts: new Map() })
      return {
        body: `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    case 'UploadPart': {
      judgeSum(request, body)
      const part = isCorrupt ? flipped(body) : body
      uploadOf(store, query, key).parts.set(Number(query.get('partNumber')), part)
      const etag = `"${store.reports.md5 ? md5(part).toString('hex') : randomUUID()}"`
      const sum = store.reports.checksums && { 'x-amz-checksum-sha256': base64Sha256(part) }
      return { headers: { etag, ...sum } }
    }
    case 'CompleteMultipartUpload':
      return completeUpload(store, key, query, body.toString(), isCorrupt)
    case 'AbortMultipartUpload':
      uploadOf(store, query, key)
      store.uploads.delete(query.get('uploadId') ?? '')
      return { status: 204 }
    default:
      throw new Refusal(501, 'NotImplemented')
  }
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[0] = (copy[0] ?? 0) ^ 1
  return copy
}

/** Requires a length header, and refuses bytes that do not match their checksum. */
function judgeSum({ headers }: IncomingMessage, body: Buffer): void {
  if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength')
  if (headers['content-encoding'] !== undefined) throw new Refusal(501, 'NotImplemented')
  const sum = headers['x-amz-checksum-sha256']
  if (sum === undefined) throw new Refusal(400, 'MissingChecksum')
  if (sum !== base64Sha256(body)) throw new Refusal(400, 'BadDigest')
  const digest = headers['content-md5']
  if (digest !== undefined && digest !== md5(body).toString('base64')) throw new Refusal(400, 'BadDigest')
}

function keep(store: S3Server, key: string, bytes: Buffer, etag: string, checksum: string): void {
  store.objects.set(key, {
    bytes,
    modifiedAt: new Date(),
    etag: store.reports.md5 ? etag : randomUUID(),
    checksum: store.reports.checksums ? checksum : null,
  })
}

function putObject(
  store: S3Server,
  key: string,
  request: IncomingMessage,
  body: Buffer,
  isCorrupt: boolean,
): Answer {
  judgeSum(request, body)
  const bytes = isCorrupt ? flipped(body) : body
  keep(store, key, bytes, md5(bytes).toString('hex'), base64Sha256(bytes))
  return { headers: { etag: `"${store.objects.get(key)?.etag}"` } }
}

const headersOf = ({ reports }: S3Server, { modifiedAt, etag, checksum }: Stored, length: number) => ({
  'content-length': String(length),
  'last-modified': modifiedAt.toUTCString(),
  etag: `"${etag}"`,
  ...(reports.checksums && checksum !== null && { 'x-amz-checksum-sha256': checksum }),
})

function getObject(store: S3Server, found: Stored, range: string | undefined): Answer {
  const { bytes } = found
  if (range === undefined) return { headers: headersOf(store, found, bytes.length), body: bytes }
  const [, from = '0', to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const start = Number(from)
  if (start >= bytes.length) throw new Refusal(416, 'InvalidRange')
  const end = to ? Math.min(Number(to), bytes.length - 1) : bytes.length - 1
  const headers = {
    ...headersOf(store, found, end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
  }
  return { status: 206, headers, body: bytes.subarray(start, end + 1) }
}

function listObjects(store: S3Server, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = keys.slice(0, store.pageSize)
  const isTruncated = keys.length > page.length
  const contents = page.map((key) => {
    const { modifiedAt, bytes } = store.objects.get(key) as Stored
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return {
    body: `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  }
}

function listUploads(store: S3Server): Answer {
  const uploads = [...store.uploads].map(
    ([id, { key, begunAt }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
  )
  return {
    body: `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`,
  }
}

function uploadOf(store: S3Server, query: URLSearchParams, key: string): Upload {
  const upload = store.uploads.get(query.get('uploadId') ?? '')
  if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload')
  return upload
}

function completeUpload(
  store: S3Server,
  key: string,
  query: URLSearchParams,
  xml: string,
  isCorrupt: boolean,
): Answer {
  const { parts } = uploadOf(store, query, key)
  const named = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    sum: /<ChecksumSHA256>([^<]+)</.exec(part)?.[1],
  }))
  const bytes = named.map(({ number, sum }, index) => {
    const part = parts.get(number)
    if ((sum !== undefined) !== store.reports.checksums) throw new Refusal(400, 'InvalidRequest')
    if (!part || (sum !== undefined && sum !== base64Sha256(part) && !isCorrupt))
      throw new Refusal(400, 'InvalidPart')
    if (index < named.length - 1 && part.length < 5 * 1024 * 1024) throw new Refusal(400, 'EntityTooSmall')
    return part
  })
  if (bytes.length === 0) throw new Refusal(400, 'MalformedXML')
  const whole = isCorrupt ? flipped(Buffer.concat(bytes)) : Buffer.concat(bytes)
  const sums = (isCorrupt ? [whole] : bytes).map((part) => Buffer.from(sha256Of(part), 'hex'))
  const etag = `${md5(Buffer.concat((isCorrupt ? [whole] : bytes).map(md5))).toString('hex')}-${bytes.length}`
  keep(store, key, whole, etag, `${base64Sha256(Buffer.concat(sums))}-${bytes.length}`)
  store.uploads.delete(query.get('uploadId') ?? '')
  return {
    body: `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`,
  }
}
