import { AppError } from '../../platform/errors/app-error.ts'

/** The characters that the hosted service allows in a name, with `/` between folders. */
const CHARACTERS = /^[A-Za-z0-9_/!.*'() &$@=;:+,?-]+$/
const MAX_LENGTH = 700

const trimmed = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, '')

const isClimbing = (name: string): boolean =>
  name.split('/').some((part) => part === '.' || part === '..' || part.trim() !== part)

/**
 * Returns whether an object can have this name. A name is only data and never becomes a path on disk. Names
 * that would lead outside their folder are refused anyway, because other programs may use them as paths.
 */
export function isObjectName(path: string): boolean {
  const name = trimmed(path)
  return name.length <= MAX_LENGTH && CHARACTERS.test(name) && !isClimbing(name)
}

/**
 * Returns the normalized name of an object, without slashes at its ends and without double slashes. Throws
 * OBJECT_KEY_INVALID.
 */
export function readObjectName(path: string): string {
  if (!isObjectName(path)) throw new AppError('OBJECT_KEY_INVALID', { text: `Invalid key: ${shown(path)}` })
  return trimmed(path)
}

/** Shortens a value from a request for an error message. */
const shown = (path: string): string =>
  path
    .slice(0, 200)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')
