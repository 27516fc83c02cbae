import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AuthClient } from '@supabase/auth-js'
import { StorageClient } from '@supabase/storage-js'

/** The package of each client, and its files of type declarations, which mark private members. */
const DECLARATIONS: Record<'auth' | 'storage' | 'database', readonly string[]> = {
  auth: ['@supabase/auth-js', 'GoTrueClient.d.ts', 'GoTrueAdminApi.d.ts', 'lib/webauthn.d.ts'],
  storage: ['@supabase/storage-js', 'index.d.mts'],
  database: ['@supabase/postgrest-js', 'index.d.mts'],
}

/** Returns the names that the declarations of a client mark as private or protected. */
export function privateNames(client: keyof typeof DECLARATIONS): ReadonlySet<string> {
  const [name = '', ...files] = DECLARATIONS[client]
  const folder = dirname(fileURLToPath(import.meta.resolve(name)))
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const names = text.matchAll(/\b(?:private|protected) (?:readonly |static |get |set )*(\w+)/g)
  return new Set([...names].map(([, each = '']) => each))
}

/** Returns the names of all members of an object: its own and those of its classes. */
function memberNames(object: object): string[] {
  const names = new Set<string>()
  for (
    let at: object | null = object;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object
  )
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  names.delete('constructor')
  return [...names]
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Map) &&
  !(value instanceof Promise) &&
  memberNames(value).some((name) => typeof (value as Record<string, unknown>)[name] === 'function')

/** Returns the names of the public methods of an object, without those of the objects in it. */
export const methodNames = (object: object, hidden: ReadonlySet<string>): string[] =>
  memberNames(object).filter(
    (name) => !hidden.has(name) && typeof (object as Record<string, unknown>)[name] === 'function',
  )

/**
 * Returns the public methods of an object and of the objects in it, such as `auth.admin.mfa.listFactors`. A member
 * whose name begins with an underscore is internal, as the client's documentation says.
 */
function methodsOf(object: object, path: string, hidden: ReadonlySet<string>, depth = 0): string[] {
  if (depth > 3) throw new Error(`${path} leads back to itself`)
  return memberNames(object).flatMap((name) => {
    if (name.startsWith('_') || hidden.has(name)) return []
    const value = (object as Record<string, unknown>)[name]
    if (typeof value === 'function') return [`${path}.${name}`]
    return isGroup(value) ? methodsOf(value, `${path}.${name}`, hidden, depth + 1) : []
  })
}

/** Returns the names of all public methods that the installed official clients have at run time. */
export function clientMethods(): string[] {
  const auth = new AuthClient({ url: 'http://localhost', autoRefreshToken: false, persistSession: false })
  const storage = new StorageClient('http://localhost')
  const hidden = privateNames('storage')
  const vectors = storage.vectors.from('bucket')
  return [
    ...methodsOf(auth, 'auth', privateNames('auth')),
    ...methodsOf(storage, 'storage', hidden),
    ...methodsOf(storage.from('bucket'), 'bucket', hidden),
    ...methodsOf(vectors, 'vectorBucket', hidden),
    ...methodsOf(vectors.index('index'), 'vectorIndex', hidden),
  ].toSorted((a, b) => a.localeCompare(b, 'en'))
}
