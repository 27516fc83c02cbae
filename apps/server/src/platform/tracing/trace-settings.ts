import { isBaseAddress } from '@pegasus/contracts/web-address'
import { StartupError } from '../startup-error.ts'

/** The samplers of OpenTelemetry that can be chosen. The first one is the default. */
const SAMPLERS = [
  'parentbased_always_on',
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where spans go, and which traces are recorded. */
export interface TraceSettings {
  /** The address to which spans are posted. */
  url: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Further attributes of this server. */
  resource: Readonly<Record<string, string>>
  sampler: (typeof SAMPLERS)[number]
  /** The share of recorded traces, from 0 to 1, for samplers with a ratio. */
  ratio: number
  /** How the server treats the `traceparent` of a caller. */
  caller: 'link' | 'parent' | 'ignored'
}

type Given = Readonly<Record<string, string>>

const DEFAULT_SERVICE = 'pegasus-ops'
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

const wrong = (name: string, shown: string, should: string): never => {
  throw new StartupError(`${name} holds ${shown}, but should hold ${should}.`)
}

const orList = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(', '), ...choices.slice(-1)].filter((part) => part !== '').join(' or ')

/** Returns the value if it is one of the choices. If the variable is not set, returns the first choice. */
function readChoice<T extends string>(given: Given, name: string, choices: readonly [T, ...T[]]): T {
  const value = given[name]?.trim() ?? choices[0]
  return choices.find((choice) => choice === value) ?? wrong(name, `"${value}"`, orList(choices))
}

/** Reads `name=value,name=value` with percent-encoded values. Returns null for anything else. */
function parsePairs(text: string): Record<string, string> | null {
  const pairs: Record<string, string> = {}
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const [, name, encoded] = /^([^=]+)=(.*)$/s.exec(part.trim()) ?? []
    if (name === undefined || encoded === undefined) return null
    try {
      pairs[name.trim()] = decodeURIComponent(encoded.trim())
    } catch {
      return null
    }
  }
  return pairs
}

function readResource(given: Given): Record<string, string> {
  const name = 'OTEL_RESOURCE_ATTRIBUTES'
  const text = given[name] ?? ''
  const should = 'attributes such as deployment.environment.name=production,service.namespace=shop'
  return parsePairs(text) ?? wrong(name, `"${text}"`, should)
}

/** Reads headers. Errors do not show the value, because it can contain a token. */
function readHeaders(given: Given, name: string): Record<string, string> {
  const text = given[name] ?? ''
  const headers = parsePairs(text)
  const isGood =
    headers !== null &&
    Object.entries(headers).every(([key, value]) => HEADER_NAME.test(key) && HEADER_VALUE.test(value))
  return isGood
    ? headers
    : wrong(
        name,
        `a value of ${text.length} characters`,
        'headers such as x-tenant=shop,authorization=Bearer%20token',
      )
}

function readRatio(given: Given, sampler: string): number {
  const text = given['OTEL_TRACES_SAMPLER_ARG']?.trim()
  if (text === undefined) return 1
  const ratio = /^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (!(ratio >= 0 && ratio <= 1))
    return wrong('OTEL_TRACES_SAMPLER_ARG', `"${text}"`, 'a share of traces from 0 to 1, such as 0.1')
  if (!sampler.endsWith('traceidratio'))
    return wrong(
      'OTEL_TRACES_SAMPLER_ARG',
      `"${text}"`,
      'a value only if OTEL_TRACES_SAMPLER holds traceidratio or parentbased_traceidratio',
    )
  return ratio
}

/** Reads an address without a password. Errors do not show the value, because it could contain a password. */
function readAddress(given: Given, name: string): string | null {
  const text = given[name]?.trim()
  if (text === undefined) return null
  return isBaseAddress(text)
    ? text
    : wrong(
        name,
        `a value of ${text.length} characters`,
        'a web address such as http://localhost:4318, without user and password (OTEL_EXPORTER_OTLP_HEADERS is for a token)',
      )
}

/**
 * Reads the settings for traces, under the standard names of OpenTelemetry. Returns null if traces are off. Throws
 * StartupError for a wrong value, even if traces are off.
 */
export function readTraceSettings(given: Given): TraceSettings | null {
  const isDisabled = readChoice(given, 'OTEL_SDK_DISABLED', ['false', 'true']) === 'true'
  const exporter = readChoice(given, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'])
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    readChoice(given, name, ['http/json'])
  const sampler = readChoice(given, 'OTEL_TRACES_SAMPLER', SAMPLERS)
  const ratio = readRatio(given, sampler)
  const propagator = readChoice(given, 'OTEL_PROPAGATORS', ['tracecontext', 'none'])
  const headers = {
    ...readHeaders(given, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ...readHeaders(given, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
  }
  const { 'service.name': named, ...resource } = readResource(given)
  const base = readAddress(given, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  const url =
    readAddress(given, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ??
    (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  if (url === null || isDisabled || exporter === 'none') return null
  return {
    url,
    headers,
    serviceName: given['OTEL_SERVICE_NAME']?.trim() ?? named ?? DEFAULT_SERVICE,
    resource,
    sampler,
    ratio,
    caller: propagator === 'none' ? 'ignored' : given['OTEL_PROPAGATORS'] ? 'parent' : 'link',
  }
}
