import { findBaseCommit, listChangedFiles } from '../lib/changed-files.ts'
import { staticSteps } from '../lib/static-steps.ts'
import { runSteps } from '../lib/steps.ts'
import { vitestStep } from '../lib/test-steps.ts'

// On every save: all that answers within seconds. With `--changed`, lint, format and unit tests look only at what the
// branch has changed; a test that reads sources from the disk is not among those, so the whole check comes last.
const base = process.argv.includes('--changed') ? findBaseCommit() : null
const unitTests = vitestStep('unit tests', ['unit'])
if (base !== null) unitTests.args?.push('--changed', base, '--passWithNoTests')
const [longest, ...others] = staticSteps(base === null ? null : listChangedFiles(base))
const results = await runSteps([...(longest ? [longest] : []), unitTests, ...others])
if (results.some(({ isOk }) => !isOk)) process.exitCode = 1
