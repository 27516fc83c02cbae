import { MAX_USED_GRAMS, MAX_USED_MM } from '@pegasus/contracts/print-queue/agents'
import { MAX_ESTIMATED_MINUTES } from '@pegasus/contracts/print-queue/jobs'
import { type FilamentUse, type PrinterConnector, type PrintRecord, printerWords } from './connector.ts'

/** Returns the figure if it is a number from 0 to `most`, otherwise null. */
const within = (figure: number | null, most: number): number | null =>
  figure !== null && figure >= 0 && figure <= most ? figure : null

const isPlausible = (used: FilamentUse): boolean =>
  ('mm' in used ? within(used.mm, MAX_USED_MM) : within(used.grams, MAX_USED_GRAMS)) !== null

function cleanRecord(record: PrintRecord): PrintRecord {
  const { used, minutes } = record
  return {
    ...record,
    used: used && isPlausible(used) ? used : null,
    minutes: within(minutes, MAX_ESTIMATED_MINUTES),
  }
}

/**
 * Returns a connector whose answers are safe to store and show. Absurd figures become null. File names are shortened,
 * without control characters and characters that change the text direction.
 */
export const withCleanAnswers = (connector: PrinterConnector): PrinterConnector => ({
  ...connector,
  async readState() {
    const reading = await connector.readState()
    return {
      ...reading,
      file: printerWords(reading.file),
      ...(reading.failedPrint !== undefined && { failedPrint: printerWords(reading.failedPrint) ?? '' }),
      ...(reading.printId !== undefined && { printId: printerWords(reading.printId) ?? '' }),
      progress: within(reading.progress, 1),
      minutesLeft: within(reading.minutesLeft, MAX_ESTIMATED_MINUTES),
    }
  },
  async findPrint(name) {
    const record = await connector.findPrint(name)
    return record === null || record === 'unknown' ? record : cleanRecord(record)
  },
})
