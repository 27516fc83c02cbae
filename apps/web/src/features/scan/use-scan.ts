import { listLocations } from '@pegasus/contracts/inventory/locations'
import { modelCode } from '@pegasus/contracts/labels/scan-codes'
import type { Scanned, ScannedOf } from '@pegasus/contracts/labels/scan'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callList } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { modelsQuery } from '@/lib/http/models.queries.ts'
import { beep } from '../../components/code-scanner/beep.ts'
import { warnOfFilament } from './filament-warning.ts'
import { findModel, searchTermOf } from './find-model.ts'
import { scannedOrderQuery } from './order-lines.tsx'
import { findLocation, locationSearchOf } from './find-location.ts'
import { type PerformedAction, changeStock, loadSpool, lookUp, moveTo } from './scan-mutations.ts'
import { spoolNowInSlot } from '@/lib/http/spool-now-in-slot.ts'
import { t } from '@/lib/i18n/messages.ts'

const MAX_ACTIONS = 10
const MODEL_CANDIDATES = 100
/** The maximum number of locations in one request. */
const LOCATION_CANDIDATES = 1000
const COULD_NOT_BE_DONE = t('That could not be done. Please try again.')

/** The effect of each scan in continuous mode. It shows the object, or changes the stock of an item by one. */
export type EachScan = 'show' | 'take' | 'put'

export interface RecentAction extends PerformedAction {
  id: number
  isUndone: boolean
}

type Movable = ScannedOf<'item'> | ScannedOf<'spool'>
type LocationSubject = ScannedOf<'location'>
/** A spool that waits for the scan of a printer, or a printer that waits for the scan of a spool. */
type LoadSubject = ScannedOf<'spool'> | ScannedOf<'printer'>

const scannedQuery = (code: string) => queryOptions({ queryKey: ['scan', code], queryFn: () => lookUp(code) })

/** A printer and a spool, with the sentence that says why the spool should not be loaded. */
interface DoubtfulLoad {
  printer: ScannedOf<'printer'>
  spool: ScannedOf<'spool'>
  warning: string
}

function throwNotFound(why: string): never {
  throw new ApiError({ status: 404, detail: why, otherwise: why })
}

const isMovable = (found: Scanned | null): found is Movable =>
  (found?.kind === 'item' || found?.kind === 'spool') && found.actions.includes('move')

/**
 * Returns the printer and the spool if the last two scans are one of each. This includes a spool that was scanned right
 * before its printer.
 */
function loadOf(
  first: LoadSubject | null,
  second: Scanned,
): { printer: ScannedOf<'printer'>; spool: ScannedOf<'spool'> } | null {
  if (first?.kind === 'spool' && second.kind === 'printer') return { printer: second, spool: first }
  if (first?.kind === 'printer' && second.kind === 'spool') return { printer: first, spool: second }
  return null
}

/**
 * The state of the scan dialog: the scanned object, the pending action for the next scan, and the last
 * actions.
 */
export function useScan() {
  const queryClient = useQueryClient()
  const [shownCode, setShownCode] = useState<string | null>(null)
  // The shown object is a query, so that it is refreshed after changes elsewhere, for example when another person
  // clears a plate.
  const shown = useQuery({
    ...scannedQuery(shownCode ?? ''),
    enabled: shownCode !== null,
    staleTime: Infinity,
  })
  const found = shownCode === null ? null : (shown.data ?? null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [actions, setActions] = useState<RecentAction[]>([])
  const [eachScan, setEachScan] = useState<EachScan>('show')
  /** The object that is moved to the next scanned location. */
  const [moving, setMoving] = useState<Movable | null>(null)
  /** The location that all scanned objects are moved to. */
  const [target, setTarget] = useState<LocationSubject | null>(null)
  /** The spool or printer that was scanned first. The next scan is its counterpart. */
  const [loading, setLoading] = useState<LoadSubject | null>(null)
  /** A spool that does not fit the running print. It is loaded only if the person confirms it. */
  const [doubtful, setDoubtful] = useState<DoubtfulLoad | null>(null)
  const lastActionId = useRef(0)
  const isRunning = useRef(false)

  const show = (scanned: Scanned | null): void => {
    if (scanned) {
      const { queryKey } = scannedQuery(scanned.code)
      // A response that is still under way would show an earlier state.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, scanned)
    }
    setShownCode(scanned?.code ?? null)
  }

  /** Finds a model by its typed title, because models have no labels. */
  const findModelByTitle = async (text: string): Promise<Scanned> => {
    const list = await queryClient.fetchQuery(
      modelsQuery({ search: searchTermOf(text), limit: MODEL_CANDIDATES }),
    )
    const model = findModel(text, list)
    const found = typeof model === 'string' ? null : await lookUp(modelCode(model.id))
    return found ?? throwNotFound(typeof model === 'string' ? model : t('This model has just been deleted.'))
  }

  /** Finds a location by its typed name, because its label may be out of reach. */
  const findLocationByName = async (text: string): Promise<Scanned> => {
    const { items } = await callList(listLocations, {
      query: { search: locationSearchOf(text), limit: LOCATION_CANDIDATES },
    })
    const match = findLocation(text, items)
    const found = typeof match === 'string' ? null : await lookUp(match.label_code)
    return (
      found ?? throwNotFound(typeof match === 'string' ? match : t('This location has just been deleted.'))
    )
  }

  const identify = async (code: string): Promise<Scanned> =>
    (await lookUp(code)) ?? (moving ? findLocationByName(code) : findModelByTitle(code))

  /** Loads the lines of an order, so that its card appears complete. If that fails, the card offers to repeat it. */
  const loadLines = async (scanned: Scanned): Promise<void> => {
    if (scanned.kind === 'order') await queryClient.prefetchQuery(scannedOrderQuery(scanned.id))
  }

  const record = (action: PerformedAction): void => {
    lastActionId.current += 1
    const entry = { ...action, id: lastActionId.current, isUndone: false }
    setActions((before) => [entry, ...before].slice(0, MAX_ACTIONS))
    void queryClient.invalidateQueries()
  }

  /** Records a performed action, and shows its object in its new state. */
  const report = async (action: PerformedAction): Promise<void> => {
    record(action)
    show(await lookUp(action.found.code))
  }

  /**
   * Runs an action and reports its result with a tone and a text. The action returns true if it asks a question. Returns
   * false if the action failed.
   */
  const attempt = async (work: () => Promise<boolean | void>, otherwise: string): Promise<boolean> => {
    // Parallel actions could overwrite each other, so refuse this scan with the low tone.
    if (isRunning.current) {
      beep('refused')
      setProblem(t('The previous scan is still being processed. Please scan this one again.'))
      return false
    }
    isRunning.current = true
    setIsBusy(true)
    setProblem(null)
    setDoubtful(null)
    try {
      const isAsking = await work()
      beep(isAsking ? 'question' : 'found')
      return true
    } catch (error) {
      beep('refused')
      setProblem(errorMessage(error, otherwise))
      return false
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  /**
   * Loads the printer again if an error says that its slot has changed, so that the next scan of the spool loads it.
   * Throws the error in every case.
   */
  const refreshPrinterToLoad = async (error: unknown): Promise<never> => {
    const now =
      loading?.kind === 'printer' && spoolNowInSlot(error) !== undefined && (await lookUp(loading.code))
    if (now && now.kind === 'printer') setLoading(now)
    throw error
  }

  /**
   * Loads the spool, unless its filament does not fit what the printer prints now. Then it asks, and returns null. The
   * printer is read again, because it may have started a print since it was scanned. The slot stays the one that the
   * person has seen.
   *
   * @param confirmed The warning that the person has already confirmed.
   */
  const loadOrAsk = async (
    printer: ScannedOf<'printer'>,
    spool: ScannedOf<'spool'>,
    confirmed: string | null = null,
  ): Promise<PerformedAction | null> => {
    const now = await lookUp(printer.code)
    const warning = await warnOfFilament(now?.kind === 'printer' ? now : printer, spool)
    if (warning === null || warning === confirmed)
      return loadSpool(printer, spool).catch(refreshPrinterToLoad)
    setDoubtful({ printer, spool, warning })
    return null
  }

  /** Performs the automatic action of a scan. Returns null if the scan only shows the object, or asks a question. */
  const performOnScan = async (scanned: Scanned): Promise<PerformedAction | null> => {
    const load = loadOf(loading, scanned)
    if (load) return loadOrAsk(load.printer, load.spool)
    if (scanned.kind === 'location' && moving) return moveTo(moving, scanned)
    if (target && isMovable(scanned)) return moveTo(scanned, target)
    if (scanned.kind !== 'item' || eachScan === 'show') return null
    return changeStock(scanned, eachScan === 'take' ? -1 : 1)
  }

  const scan = (code: string): Promise<boolean> =>
    attempt(async () => {
      const scanned = await identify(code).catch((error: unknown) => {
        // Otherwise an amount would be booked on the previous object, which the person no longer holds.
        if (!moving && !loading) show(null)
        throw error
      })
      const action = await performOnScan(scanned)
      setMoving(null)
      setLoading(null)
      if (!action) {
        await loadLines(scanned)
        show(scanned)
        return loadOf(loading, scanned) !== null
      }
      return report(action)
    }, t('The code could not be looked up. Please try again.'))

  /** Performs an action on the shown object, and shows the result. */
  const act = (work: () => Promise<PerformedAction>): Promise<boolean> =>
    attempt(async () => report(await work()), COULD_NOT_BE_DONE)

  /** Loads the spool that the question is about. Asks again if the printer prints something else by now. */
  const loadAnyway = ({ printer, spool, warning }: DoubtfulLoad): Promise<boolean> =>
    attempt(async () => {
      const action = await loadOrAsk(printer, spool, warning)
      return action ? report(action) : true
    }, COULD_NOT_BE_DONE)

  const undo = (action: RecentAction): Promise<boolean> =>
    attempt(async () => {
      await action.undo?.()
      setActions((all) => all.map((each) => (each.id === action.id ? { ...each, isUndone: true } : each)))
      void queryClient.invalidateQueries()
      if (found?.id === action.found.id) show(await lookUp(found.code))
    }, t('That could not be undone. Please try again.'))

  return {
    found,
    problem,
    isBusy,
    actions,
    eachScan,
    moving,
    target,
    loading,
    doubtful,
    scan,
    act,
    loadAnyway,
    undo,
    setEachScan,
    setMoving,
    setTarget,
    setLoading,
    setDoubtful,
    reportProblem: (text: string) => {
      beep('refused')
      setProblem(text)
    },
  }
}

export type Scan = ReturnType<typeof useScan>
