import { STATIC_STEPS } from '../lib/static-steps.ts'
import { runSteps } from '../lib/steps.ts'
import { vitestStep } from '../lib/test-steps.ts'

// On every save: all that answers within seconds.
const results = await runSteps([vitestStep('unit tests', ['unit']), ...STATIC_STEPS])
if (results.some(({ isOk }) => !isOk)) process.exitCode = 1
