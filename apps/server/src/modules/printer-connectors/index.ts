export { createBambuSessions } from './adapters/bambu/bambu-sessions.ts'
export { createPrinterConnections } from './printer-connections.ts'
export { type PrinterPoller, createPrinterPoller } from './printer-poller.service.ts'
