import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'

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
