import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

const hmac = (key: Uint8Array | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/**
 * Percent-encodes a text for an address in the same way as AWS: everything except letters, digits and `-._~`.
 */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const SKEW_MS = 15 * 60_000

function canonicalRequest(request: IncomingMessage, signed: readonly string[], bodySum: string): string {
  const url = new URL(request.url ?? '/', 'http://store')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const headers = signed.map(
    (name) =>
      `${name}:${String(request.headers[name] ?? '')
        .replace(/\s+/g, ' ')
        .trim()}\n`,
  )
  return [request.method, path, query, headers.join(''), signed.join(';'), bodySum].join('\n')
}

/**
 * Verifies the signature of a request (AWS Signature Version 4). Returns S3's error code, or null if the signature is
 * valid.
 */
export function judgeSignature(
  request: IncomingMessage,
  body: Uint8Array,
  keys: { accessKeyId: string; secretAccessKey: string },
  region: string,
): string | null {
  const { authorization = '' } = request.headers
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, id, day = '', where, names = '', signature] = pattern.exec(authorization) ?? []
  if (id === undefined) return 'AccessDenied'
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (where !== region) return 'AuthorizationHeaderMalformed'
  const time = String(request.headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < SKEW_MS)) return 'RequestTimeTooSkewed'
  const signed = names.split(';')
  if (!signed.includes('host') || !signed.includes('x-amz-content-sha256')) return 'AccessDenied'
  const bodySum = String(request.headers['x-amz-content-sha256'])
  if (bodySum !== 'UNSIGNED-PAYLOAD' && bodySum !== sha256Of(body)) return 'XAmzContentSHA256Mismatch'
  const scope = `${day}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256Of(canonicalRequest(request, signed, bodySum))}`
  const dayKey = hmac(`AWS4${keys.secretAccessKey}`, day)
  const key = hmac(hmac(hmac(dayKey, region), 's3'), 'aws4_request')
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}
