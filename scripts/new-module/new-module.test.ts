import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generateModule } from './generated-module.ts'

// The long test compiles the whole repository, lints the module and runs its tests.
it('new:module writes a module that compiles', async () => {
  const { folder, node } = await generateModule()
  const config = {
    extends: './tsconfig.json',
    include: ['src/modules/packing-stations'],
    // The tests would add the whole server.
    exclude: ['**/*.test.ts'],
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
  }
  await writeFile(join(folder, 'apps/server/tsconfig.module.json'), JSON.stringify(config))
  const { stdout } = await node('node_modules/typescript/bin/tsc', '-p', 'apps/server/tsconfig.module.json')
  expect(stdout).toBe('')
})
