import { type ScanKind, canonicalCode, readScannedCode } from '@pegasus/contracts/labels/scan-codes'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findItemIdBySku } from '../inventory/index.ts'
import { type Found, findOrderIdByNumber, readFound } from './scan.queries.ts'
import { findSubjectByCode } from './label-subjects.queries.ts'

export interface Scan {
  /** Finds the object whose code was scanned or typed. Returns null if no object has the code. */
  find(text: string): Promise<Found | null>
  /** Like `find`, but throws CODE_UNKNOWN instead of returning null. */
  get(text: string): Promise<Found>
}

const LABEL_CODE = /^[IJLPSOM]-[0-9A-F]+$/

export function createScan({ database: { sql } }: { database: Database }): Scan {
  const identify = async (text: string): Promise<{ kind: ScanKind; id: string } | null> => {
    const code = canonicalCode(text)
    const labelled = LABEL_CODE.test(code) ? await findSubjectByCode(sql, code) : null
    if (labelled) return labelled
    const itemId = await findItemIdBySku(sql, text)
    if (itemId) return { kind: 'item', id: itemId }
    const orderId =
      (await findOrderIdByNumber(sql, text)) ??
      (/^O-./i.test(text) ? await findOrderIdByNumber(sql, text.slice(2)) : null)
    return orderId ? { kind: 'order', id: orderId } : null
  }

  const find = async (text: string): Promise<Found | null> => {
    const wanted = readScannedCode(text)
    const thing = wanted === '' ? null : await identify(wanted)
    return thing && readFound(sql, thing.kind, thing.id)
  }

  return {
    find,

    async get(text) {
      const found = await find(text)
      if (!found) throw new AppError('CODE_UNKNOWN', { text: `No match for the code “${text}”.` })
      return found
    },
  }
}
