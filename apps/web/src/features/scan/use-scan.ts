import { listLocations } from '@pegasus/contracts/inventory/locations'
import { modelCode } from '@pegasus/contracts/labels/scan-codes'
import type { Scanned, ScannedOf } from '@pegasus/contracts/labels/scan'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callList } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { modelsQuery } from '@/lib/http/model-queries.ts'
import { beep } from './beep.ts'
import { findScanned, searchTermOf } from './find-model.ts'
import { findLocation, locationSearchOf } from './find-location.ts'
import { type ScanMutation, changeStock, lookUp, moveTo } from './scan-mutations.ts'

const KEPT_DEEDS = 10
const MODEL_CANDIDATES = 100
/** Largest page of locations. */
const PLACE_CANDIDATES = 1000

/** Effect of each scan in continuous mode: show the subject, or change the stock of items by one. */
export type EachScan = 'show' | 'take' | 'put'

export interface PendingMutation extends ScanMutation {
  id: number
  isUndone: boolean
}

type Movable = ScannedOf<'item'> | ScannedOf<'spool'>
type Place = ScannedOf<'location'>

function refuse(why: string): never {
  throw new ApiError({ status: 404, detail: why, otherwise: why })
}

const isMovable = (found: Scanned | null): found is Movable =>
  (found?.kind === 'item' || found?.kind === 'spool') && found.actions.includes('move')

/** The scanned subject, what the next scan is for, and the last actions. */
export function useScan() {
  const queryClient = useQueryClient()
  const [found, setFound] = useState<Scanned | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [deeds, setDeeds] = useState<PendingMutation[]>([])
  const [eachScan, setEachScan] = useState<EachScan>('show')
  /** The subject that the next scanned location is for. */
  const [moving, setMoving] = useState<Movable | null>(null)
  /** Where all scanned subjects are moved to. */
  const [place, setPlace] = useState<Place | null>(null)
  const lastDeed = useRef(0)
  const isUnderWay = useRef(false)

  /** Models have no labels on the shelf, so their titles are typed. */
  const findModel = async (text: string): Promise<Scanned> => {
    const list = await queryClient.fetchQuery(
      modelsQuery({ search: searchTermOf(text), limit: MODEL_CANDIDATES }),
    )
    const model = findScanned(text, list)
    const found = typeof model === 'string' ? null : await lookUp(modelCode(model.id))
    return found ?? refuse(typeof model === 'string' ? model : 'This model has just been deleted.')
  }

  /** Labels of locations may be out of reach, so their names can be typed. */
  const findNamedPlace = async (text: string): Promise<Scanned> => {
    const { items } = await callList(listLocations, {
      query: { search: locationSearchOf(text), limit: PLACE_CANDIDATES },
    })
    const place = findLocation(text, items)
    const found = typeof place === 'string' ? null : await lookUp(place.label_code)
    return found ?? refuse(typeof place === 'string' ? place : 'This place has just been deleted.')
  }

  const identify = async (code: string): Promise<Scanned> =>
    (await lookUp(code)) ?? (moving ? findNamedPlace(code) : findModel(code))

  const keep = (deed: ScanMutation): void => {
    lastDeed.current += 1
    const kept = { ...deed, id: lastDeed.current, isUndone: false }
    setDeeds((before) => [kept, ...before].slice(0, KEPT_DEEDS))
    void queryClient.invalidateQueries()
  }

  /** Runs one action after the other, and reports each by tone and text; false if it failed. */
  const attempt = async (work: () => Promise<void>, otherwise: string): Promise<boolean> => {
    // Two at once could overwrite each other; the person hears that this scan was refused.
    if (isUnderWay.current) {
      beep('refused')
      setProblem('The scan before this one is still under way. Please scan this one again.')
      return false
    }
    isUnderWay.current = true
    setIsBusy(true)
    setProblem(null)
    try {
      await work()
      beep('found')
      return true
    } catch (error) {
      beep('refused')
      setProblem(errorMessage(error, otherwise))
      return false
    } finally {
      isUnderWay.current = false
      setIsBusy(false)
    }
  }

  /** The automatic action of a scan; null if it only shows the subject. */
  const deedOfScan = async (scanned: Scanned): Promise<ScanMutation | null> => {
    if (scanned.kind === 'location' && moving) return moveTo(moving, scanned)
    if (place && isMovable(scanned)) return moveTo(scanned, place)
    if (scanned.kind !== 'item' || eachScan === 'show') return null
    return changeStock(scanned, eachScan === 'take' ? -1 : 1)
  }

  const scan = (code: string): Promise<boolean> =>
    attempt(async () => {
      const scanned = await identify(code)
      const deed = await deedOfScan(scanned)
      setMoving(null)
      if (!deed) return setFound(scanned)
      keep(deed)
      setFound(await lookUp(deed.found.code))
    }, 'The code could not be looked up. Please try again.')

  /** Performs an action on the shown subject, and shows the result. */
  const act = (work: () => Promise<ScanMutation>): Promise<boolean> =>
    attempt(async () => {
      const deed = await work()
      keep(deed)
      setFound(await lookUp(deed.found.code))
    }, 'That could not be done. Please try again.')

  const undo = (deed: PendingMutation): Promise<boolean> =>
    attempt(async () => {
      await deed.undo?.()
      setDeeds((all) => all.map((each) => (each.id === deed.id ? { ...each, isUndone: true } : each)))
      void queryClient.invalidateQueries()
      if (found?.id === deed.found.id) setFound(await lookUp(found.code))
    }, 'That could not be undone. Please try again.')

  return {
    found,
    problem,
    isBusy,
    deeds,
    eachScan,
    moving,
    place,
    scan,
    act,
    undo,
    setEachScan,
    setMoving,
    setPlace,
    tellProblem: (text: string) => {
      beep('refused')
      setProblem(text)
    },
  }
}

export type Scan = ReturnType<typeof useScan>
