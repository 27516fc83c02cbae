import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { inProject, PlainError } from '../boot/project.mjs'
import { type Manifest, signInScripts } from './sign-in-size.ts'
import { WEB_DIST } from './stamp.ts'

/** The limit for the compressed JavaScript of the sign-in screen, in units of 1,000 bytes. */
const SIGN_IN_LIMIT_KB = 150
/** The limit for the HTML page in bytes. The server compresses the page for each response. */
const PAGE_LIMIT_BYTES = 16_000
const COMPRESSIBLE = '**/*.{js,css,svg,json,webmanifest,wasm,txt,xml,ico,ttf,map}'
/** Smaller files are not compressed, because that saves less than the additional headers cost. */
const COMPRESS_FROM_BYTES = 512

const brotli = promisify(brotliCompress)
const BEST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

// This file is run as a program: `node scripts/web/build.ts SOURCES`. SOURCES is the hash of the web app's sources.
try {
  console.log(await buildWeb(process.argv[2] ?? ''))
} catch (error) {
  console.error(error instanceof PlainError ? error.message : error)
  process.exitCode = 1
}

/**
 * Builds the web app into a new folder, and then puts it in the place of the served folder. Returns a sentence with the
 * size of the sign-in screen's JavaScript. Throws if that exceeds the limit.
 */
async function buildWeb(sources: string): Promise<string> {
  const folder = inProject('.cache', 'web-build')
  rmSync(folder, { recursive: true, force: true })
  const next = join(folder, 'next')
  await runVite(next)
  const pageBytes = (await readFile(join(next, 'index.html'))).length
  if (pageBytes > PAGE_LIMIT_BYTES)
    throw new PlainError(`The page has ${pageBytes} bytes, more than the limit of ${PAGE_LIMIT_BYTES}.`)
  await compressAssets(next)
  const signInKb = (await measureSignIn(next)) / 1000
  const signIn = `the sign-in screen loads ${signInKb.toFixed(1)} KB of JavaScript (brotli; limit ${SIGN_IN_LIMIT_KB})`
  if (signInKb > SIGN_IN_LIMIT_KB) throw new PlainError(`The web app is too heavy: ${signIn}.`)
  writeFileSync(join(next, '.vite', 'sources'), sources)
  if (existsSync(WEB_DIST)) renameSync(WEB_DIST, join(folder, 'last'))
  renameSync(next, WEB_DIST)
  rmSync(folder, { recursive: true, force: true })
  return signIn
}

async function runVite(outDir: string): Promise<void> {
  mkdirSync(outDir, { recursive: true })
  try {
    await build({
      root: inProject('apps', 'web'),
      configFile: inProject('apps', 'web', 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true, manifest: true },
    })
  } catch (error) {
    // Show only the message, which contains the position in our sources. The stack contains only positions in Vite.
    throw new PlainError(
      `The web app could not be built. ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Compresses the files in advance. The server itself compresses the page, because each response has its own nonce. */
async function compressAssets(folder: string): Promise<void> {
  const files = globSync(COMPRESSIBLE, { cwd: folder }).map((file) => join(folder, file))
  await Promise.all(files.map(compress))
}

async function compress(file: string): Promise<void> {
  const contents = await readFile(file)
  if (contents.length < COMPRESS_FROM_BYTES) return
  const [br, gz] = await Promise.all([brotli(contents, BEST_BROTLI), promisify(gzip)(contents, { level: 9 })])
  if (br.length < contents.length) await writeFile(`${file}.br`, br)
  if (gz.length < contents.length) await writeFile(`${file}.gz`, gz)
}

/** Returns how many bytes of JavaScript the sign-in screen transfers. */
async function measureSignIn(folder: string): Promise<number> {
  const manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const sizes = signInScripts(manifest, page).map(
    async (file) => (await brotli(await readFile(join(folder, file)), BEST_BROTLI)).length,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
