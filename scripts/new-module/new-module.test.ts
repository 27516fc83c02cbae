import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generateModule } from './generated-module.ts'

// This test compiles only the new module. The long test compiles the whole repository and runs the module's own tests.
it('new:module writes a module that compiles', async () => {
  const { folder, node } = await generateModule()
  const config = {
    extends: './tsconfig.json',
    include: ['src/modules/packing-stations'],
    // Leave out the tests, because they import the whole server.
    exclude: ['**/*.test.ts'],
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
  }
  await writeFile(join(folder, 'apps/server/tsconfig.module.json'), JSON.stringify(config))
  const { stdout } = await node('node_modules/typescript/bin/tsc', '-p', 'apps/server/tsconfig.module.json')
  expect(stdout).toBe('')
})
