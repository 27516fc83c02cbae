import { AppError } from '../../platform/errors/app-error.ts'

/** What the hosted service allows in a name, `/` between folders. */
const CHARACTERS = /^[A-Za-z0-9_/!.*'() &$@=;:+,?-]+$/
const MAX_LENGTH = 700

const trimmed = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, '')

const isClimbing = (name: string): boolean =>
  name.split('/').some((part) => part === '.' || part === '..' || part.trim() !== part)

/**
 * Whether an object can have this name. It is data and names no file of any disk; what would climb out of a folder is
 * refused all the same, since others may take it for a path.
 */
export function isObjectName(path: string): boolean {
  const name = trimmed(path)
  return name.length <= MAX_LENGTH && CHARACTERS.test(name) && !isClimbing(name)
}

/** The name of an object as it is kept: slashes at its ends and doubled ones do not count. Throws OBJECT_KEY_INVALID. */
export function readObjectName(path: string): string {
  if (!isObjectName(path)) throw new AppError('OBJECT_KEY_INVALID', { say: `Invalid key: ${shown(path)}` })
  return trimmed(path)
}

/** Of what somebody has sent, as much as a message can hold. */
const shown = (path: string): string =>
  path
    .slice(0, 200)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')
