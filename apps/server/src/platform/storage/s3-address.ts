import { isBaseAddress } from '@pegasus/contracts/web-address'
import { StartupError } from '../startup-error.ts'

/** A bucket and the settings for reaching it. */
export interface S3Address {
  bucket: string
  /**
   * The endpoint of a store other than Amazon's, such as `https://minio.internal:9000`; null for Amazon's.
   */
  endpoint: string | null
  region: string
  /** Whether requests name the bucket in the path instead of the host name. */
  isPathStyle: boolean
}

/** The keys of the bucket. Null means the credentials of the machine, such as a profile or a role. */
export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

export interface S3Settings extends S3Address {
  keys: S3Keys | null
}

const ALLOWED = ['endpoint', 'region', 'path-style'] as const
const SHOULD =
  'should hold an address such as s3://bucket?endpoint=https://s3.example.com&region=eu-central-1&path-style=true, whose parameters may be left out'

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i
/** Matches names of parameters that an error may show. A secret that was entered by mistake does not match. */
const SHOWABLE = /^[a-z][a-z-]{0,19}$/

/** Returns the error for a wrong address. The error never shows the value, because the value may be a key. */
const refuse = (fault: string, should = SHOULD): StartupError =>
  new StartupError(`STORAGE_URL holds an s3: address ${fault}, but ${should}.`)

/** Whether a storage setting is an S3 address. */
export const isS3Address = (text: string): boolean => /^s3:/i.test(text)

/**
 * Parses `s3://bucket?endpoint=…&region=…&path-style=true`. Missing parts and the keys come from the usual
 * AWS variables. Throws a StartupError that explains the fault without repeating any secret.
 */
export function readS3Settings(text: string, variables: Readonly<Record<string, string>>): S3Settings {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !text.slice('s3:'.length).startsWith('//')) throw refuse('that cannot be read')
  if (url.username !== '' || url.password !== '' || url.host.includes('@'))
    throw refuse('with keys in it', `${SHOULD}; keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`)
  if (!BUCKET.test(url.hostname) || url.hostname.includes('..')) throw refuse('without a bucket')
  if (url.port !== '') throw refuse('with a port, which belongs to the endpoint')
  if (!['', '/'].includes(url.pathname) || url.hash !== '') throw refuse('with more than a bucket in it')
  const parameters = readParameters(url.searchParams)
  const endpoint = readEndpoint(parameters.get('endpoint'))
  return {
    bucket: url.hostname,
    endpoint,
    region: readRegion(parameters.get('region') ?? variables['AWS_REGION'], endpoint !== null),
    isPathStyle: readPathStyle(parameters.get('path-style')),
    keys: readKeys(variables),
  }
}

function readParameters(given: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of given) {
    if (!ALLOWED.some((allowed) => allowed === name)) {
      const shown = SHOWABLE.test(name) ? `the parameter "${name}"` : 'a parameter'
      throw refuse(`with ${shown}, which is not supported`, `should have only ${ALLOWED.join(', ')}`)
    }
    if (parameters.has(name)) throw refuse(`with ${name} twice`)
    parameters.set(name, value)
  }
  return parameters
}

function readEndpoint(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!isBaseAddress(text))
    throw refuse(
      'whose endpoint is not a web address',
      'its endpoint should look like https://s3.example.com, without a name or a password',
    )
  return new URL(text).href.replace(/\/+$/, '')
}

function readRegion(text: string | undefined, hasEndpoint: boolean): string {
  // Stores other than Amazon's ignore the region. This value is the usual one.
  if (text === undefined && hasEndpoint) return 'us-east-1'
  if (text === undefined)
    throw refuse(
      'without a region',
      'should name one, such as s3://bucket?region=eu-central-1, or AWS_REGION should',
    )
  if (!REGION.test(text))
    throw refuse('whose region is not valid', 'should name a region such as eu-central-1')
  return text
}

function readPathStyle(text: string | undefined): boolean {
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw refuse('whose path-style is not valid', 'it should be true or false')
  return text === 'true'
}

function readKeys(variables: Readonly<Record<string, string>>): S3Keys | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables
  if (accessKeyId === undefined && secretAccessKey === undefined) return null
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const [set, missing] =
      accessKeyId === undefined
        ? ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID']
        : ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    throw new StartupError(
      `${missing} holds nothing, but should hold the other half of the key in ${set}, because STORAGE_URL names a bucket.`,
    )
  }
  return { accessKeyId, secretAccessKey, sessionToken: variables['AWS_SESSION_TOKEN'] ?? null }
}
