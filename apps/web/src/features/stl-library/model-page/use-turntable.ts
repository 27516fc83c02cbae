import { getModelTurntable } from '@pegasus/contracts/stl-library/models'
import { useEffect, useState } from 'react'
import { callForBytes } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Polling interval, in ms. */
const POLL_MS = 1500
/** Time in ms after which drawing is considered failed. Drawing usually takes a few seconds. */
const PATIENCE_MS = 120_000

interface Turntable {
  /** URL of the animation; null until it is drawn. */
  address: string | null
  isDrawing: boolean
  error: string | null
  start: () => void
}

/** The turntable animation. The server draws it on the first request and stores it. */
export function useTurntable(id: string): Turntable {
  const [isWanted, setIsWanted] = useState(false)
  const [address, setAddress] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    if (!isWanted) return
    const controller = new AbortController()
    fetchDrawn(id, controller.signal)
      .then((picture) => setAddress(URL.createObjectURL(picture)))
      .catch((failure: unknown) => {
        if (controller.signal.aborted) return
        setError(errorMessage(failure, t('The turntable could not be drawn. Please try again.')))
        setIsWanted(false)
      })
    return () => controller.abort()
  }, [id, isWanted])
  useEffect(() => {
    if (!address) return
    return () => URL.revokeObjectURL(address)
  }, [address])
  return {
    address,
    isDrawing: isWanted && address === null,
    error,
    start: () => {
      setError(null)
      setIsWanted(true)
    },
  }
}

async function fetchDrawn(id: string, signal: AbortSignal): Promise<Blob> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const response = await callForBytes(getModelTurntable, { params: { id }, signal })
    if (response.status === 200) return response.blob()
    if (performance.now() > until) throw new Error('not drawn in time')
    await pause(POLL_MS, signal)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
