/** The fields of Vite's manifest that this file reads. */
export type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>

const SIGN_IN_ROUTES = ['src/routes/login.tsx', 'src/routes/legacy-login.tsx']
const SCRIPT_SOURCE = /<script\b[^>]*\ssrc="\/?([^"]+)"/g

/**
 * Returns the scripts that a browser loads for the two sign-in screens: the entry, the lazy chunks of both routes and
 * all that these import, and the scripts in the page itself, such as the theme.
 */
export function signInScripts(manifest: Manifest, page: string): string[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const files = new Set([...page.matchAll(SCRIPT_SOURCE)].map((match) => match[1] ?? ''))
  const seen = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk)
      throw new Error(
        `The web build has no chunk of its own for ${key}: is the route still lazy, and still there?`,
      )
    if (seen.has(key)) return
    seen.add(key)
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const key of [...entries, ...SIGN_IN_ROUTES]) visit(key)
  return [...files].filter((file) => file.endsWith('.js'))
}
