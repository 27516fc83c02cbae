import { StartupError } from '../../../platform/startup-error.ts'

const MAX_LINES = 8
const MAX_LINE_LENGTH = 100

/**
 * Reads the sender on papers from `SHOP_NAME` and `SHOP_ADDRESS`, line by line. In the address, a line break, the two
 * characters `\n`, or `|` begins a new line. Returns an empty list without these variables. Throws StartupError for a
 * text that is too long.
 */
export function readSender(variables: Readonly<Record<string, string>>): string[] {
  const name = variables['SHOP_NAME']?.trim() ?? ''
  const address = (variables['SHOP_ADDRESS'] ?? '').split(/\r?\n|\\n|\|/).map((line) => line.trim())
  const lines = address.filter((line) => line !== '')
  if (name.length > MAX_LINE_LENGTH)
    throw new StartupError(
      `SHOP_NAME holds "${name}", but should hold a name of at most ${MAX_LINE_LENGTH} characters.`,
    )
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_LENGTH))
    throw new StartupError(
      `SHOP_ADDRESS holds "${lines.join(' | ')}", but should hold an address of at most ${MAX_LINES} lines of ${MAX_LINE_LENGTH} characters, such as 1 Main Street | Reno, NV 89501.`,
    )
  return [name, ...lines].filter((line) => line !== '')
}
