import { AppError } from '../../platform/errors/app-error.ts'

/** What the hosted service allows in a name, `/` between folders. */
const CHARACTERS = /^[A-Za-z0-9_/!.*'() &$@=;:+,?-]+$/
const MAX_LENGTH = 700

/**
 * The name of an object as it is kept: slashes at its ends and doubled ones do not count. It is data and names no file
 * of any disk; what would climb out of a folder is refused all the same, since others may take it for a path. Throws
 * OBJECT_KEY_INVALID.
 */
export function readObjectName(path: string): string {
  const name = path.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, '')
  const isClimbing = name.split('/').some((part) => part === '.' || part === '..' || part.trim() !== part)
  if (name.length > MAX_LENGTH || !CHARACTERS.test(name) || isClimbing)
    throw new AppError('OBJECT_KEY_INVALID', { say: `Invalid key: ${shown(path)}` })
  return name
}

/** Of what somebody has sent, as much as a message can hold. */
const shown = (path: string): string =>
  path
    .slice(0, 200)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')
