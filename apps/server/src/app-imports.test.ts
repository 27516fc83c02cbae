import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Libraries that only a few kinds of request need. Loading them at the start would make every start slower. */
const LOADED_ON_DEMAND = [
  '@noble/curves',
  '@simplewebauthn/server',
  '@xmldom/xmldom',
  'nodemailer',
  'sharp',
  'web-push',
  'xml-crypto',
]

const PRINT_LOADED_FILES = `
  import { registerHooks } from 'node:module'
  const files = []
  registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) })
  await import(process.argv[1])
  console.log(JSON.stringify(files))
  process.exit()`

it('starts without the libraries that only few requests need', async () => {
  const app = new URL('./app.ts', import.meta.url).href
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PRINT_LOADED_FILES, app],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  const files = JSON.parse(stdout) as string[]
  expect(files).toContain(app)
  const loaded = LOADED_ON_DEMAND.filter((name) =>
    files.some((file) => file.includes(`/node_modules/${name}/`)),
  )
  expect(loaded).toEqual([])
})
