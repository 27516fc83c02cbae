import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether the text is the address of a mail server. */
export const isMailServer = (text: string): boolean => /^smtps?:\/\/[^/]/i.test(text) && URL.canParse(text)

/**
 * Whether the text is `name@host` or `Name <name@host>`. A line break is refused, because it would start
 * another email header.
 */
export const isSender = (text: string): boolean =>
  /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text.trim())

/** Whether the text is an IP address, or a range such as 10.0.0.0/8. */
export const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits = '1', ...rest] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  const isLength = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  return version !== 0 && isLength && rest.length === 0
}

/** Whether the text is the absolute path of a program that may be run. */
export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return isAbsolute(path) && statSync(path).isFile()
  } catch {
    return false
  }
}

/** Whether the text is a port number, or 0 for any free port. */
export const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) <= 65_535

/** Whether the text is a language tag such as `en-GB`. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Whether the text is the code of a currency, such as `USD`. */
export const isCurrency = (text: string): boolean => Intl.supportedValuesOf('currency').includes(text)

/** Whether the text is the address of a PostgreSQL database. */
export const isDatabaseAddress = (text: string): boolean => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Whether the text is a `file:` address of a folder. */
export const isFolderAddress = (text: string): boolean => {
  try {
    return /^file:\/\/\/[^?#]*$/.test(text) && fileURLToPath(text) !== ''
  } catch {
    return false
  }
}

/** Whether the text is a time with a time zone, such as `2026-01-31T12:00:00Z`, and has passed. */
export const isPastTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  Date.parse(text) <= Date.now()

/** Returns the AI settings: the address without a final slash, the model or `default`, and the API key or null. */
export const aiOf = (baseUrl: string, model: string | undefined, apiKey: string | undefined) => ({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  // Servers with a single model accept any name.
  model: model?.trim() ?? 'default',
  apiKey: apiKey ?? null,
})

/** Whether a text can be the value of an HTTP header. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(text)

/** Names of headers that the server sets itself, so they cannot be configured. */
const RESERVED_HEADERS =
  /^(?:content-|transfer-|accept|connection|host|idempotency-key|user-agent|te$|upgrade)/i
/** Whether the text can be the name of a header that the request does not set itself. */
export const isHeaderName = (text: string): boolean =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(text) && !RESERVED_HEADERS.test(text)

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** Parses `1GiB`, `500 MB` or plain bytes. Returns NaN for anything else. */
export function parseSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toLowerCase()]
  return digits === '' || factor === undefined ? Number.NaN : Math.floor(Number(digits) * factor)
}
