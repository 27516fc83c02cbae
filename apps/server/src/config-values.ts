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
