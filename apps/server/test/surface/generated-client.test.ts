import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generate } from 'openapi-typescript-codegen'
import { expect, it, onTestFinished } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'

const COMPILER = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))
const SETTINGS = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['.'],
}

it('a client that is generated from the OpenAPI document compiles in strict mode', async () => {
  const app = await buildTestApp()
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const input = join(folder, 'openapi.json')
  await writeFile(input, (await app.http.inject('/api/openapi.json')).body)
  await generate({ input, output: join(folder, 'client'), httpClient: 'fetch' })
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
  await writeFile(
    join(folder, 'use.ts'),
    `import { AuthService } from './client'
     export const me: Promise<{ role: string }> = AuthService.getApiAuthMe()`,
  )
  const compile = promisify(execFile)(process.execPath, [COMPILER, '-p', folder])
  const { stdout } = await compile.catch((error: { stdout: string }) => error)
  expect(stdout.split('\n').slice(0, 20)).toEqual([''])
})
