import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/platform/log/log-options.ts'
import { startServer } from '../../src/bootstrap.ts'

/**
 * Starts the server for the floor simulation. It polls the printers on request, so that the simulation need not wait
 * for the real time between two polls. Everything else is as in `main.ts`.
 */
const config = readConfig()
const product = await startServer(config, openLog(config.logLevel))
process.on('message', (request) => {
  void product.visitPrinters().then(
    () => process.send?.({ request }),
    // The printers are polled again later, as after any failed round.
    (error: unknown) => process.send?.({ request, error: String(error) }),
  )
})
console.log(`(listening on ${product.address})`)
