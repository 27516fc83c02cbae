import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { importPackage, requireFrom } from './workspace-packages.ts'

const PAGE = fileURLToPath(new URL('../pages/rows', import.meta.url))

interface Vite {
  build(options: object): Promise<unknown>
}

/**
 * Builds the bare page, with which the web app is compared, using the same tools and the same React. Returns its
 * folder.
 */
export async function buildBarePage(folder: string): Promise<string> {
  const { build } = await importPackage<Vite>('vite')
  const ofWeb = requireFrom('web')
  await build({
    root: PAGE,
    base: './',
    configFile: false,
    logLevel: 'warn',
    resolve: {
      alias: { 'react-dom/client': ofWeb.resolve('react-dom/client'), react: ofWeb.resolve('react') },
    },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  })
  for (const file of globSync('**/*.js', { cwd: folder }).map((name) => join(folder, name)))
    await writeFile(`${file}.br`, brotliCompressSync(await readFile(file)))
  return folder
}
