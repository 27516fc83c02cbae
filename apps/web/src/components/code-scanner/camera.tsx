import { Camera as CameraIcon, CameraOff, Flashlight } from 'lucide-react'
import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { cx } from '@/lib/class-names.ts'
import { readCode } from './code-reader.ts'
import { t } from '@/lib/i18n/messages.ts'

const LOOK_EVERY_MS = 150
/** How long, in ms, a code is ignored while it stays in front of the camera. */
const SAME_CODE_MS = 2500

type State = 'starting' | 'live' | 'unavailable'

/** Returns whether the browser gives access to a camera. It does so only over HTTPS. */
const canUseCamera = (): boolean => navigator.mediaDevices?.getUserMedia !== undefined

/** Reads codes from the camera. If the camera is unavailable, it reads them from a photo. */
export function Camera({
  isSmall = false,
  onCode,
  onProblem,
}: {
  /** True to show a smaller camera picture, which leaves room for the scanned objects below it. */
  isSmall?: boolean
  onCode: (code: string) => void
  onProblem: (text: string) => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<State>(() => (canUseCamera() ? 'starting' : 'unavailable'))
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [isLit, setIsLit] = useState(false)
  const reportCode = useEffectEvent(onCode)

  useEffect(() => {
    if (!canUseCamera()) return
    let isOver = false
    let opened: MediaStream | null = null
    const stop = () => opened?.getTracks().forEach((track) => track.stop())
    const open = async () => {
      try {
        opened = await navigator.mediaDevices.getUserMedia({
          audio: false,
          video: { facingMode: 'environment', width: { ideal: 1280 } },
        })
        if (isOver) return stop()
        setStream(opened)
      } catch {
        // The camera was denied, is in use by another program, or does not exist. Photos still work.
        if (!isOver) setState('unavailable')
      }
    }
    void open()
    return () => {
      isOver = true
      stop()
    }
  }, [])

  useEffect(() => {
    const view = video.current
    if (!view || !stream) return
    view.srcObject = stream
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let last = { code: '', atMs: 0 }
    const look = async () => {
      try {
        const code = view.readyState >= view.HAVE_CURRENT_DATA ? await readCode(view) : null
        const atMs = performance.now()
        if (code !== null && !isOver && (code !== last.code || atMs - last.atMs > SAME_CODE_MS))
          reportCode(code)
        if (code !== null) last = { code, atMs }
      } catch {
        if (!isOver) setState('unavailable')
        return
      }
      if (!isOver) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    }
    view.play().then(
      () => {
        setState('live')
        void look()
      },
      () => setState('unavailable'),
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [stream])

  const [track] = stream?.getVideoTracks() ?? []
  const hasTorch = (track?.getCapabilities?.() as { torch?: boolean } | undefined)?.torch === true
  const light = () => {
    const wanted = { advanced: [{ torch: !isLit } as MediaTrackConstraintSet] }
    void track?.applyConstraints(wanted).then(() => setIsLit(!isLit))
  }

  if (state === 'unavailable') return <PhotoInstead onCode={onCode} onProblem={onProblem} />
  return (
    <div
      className={cx(
        'relative overflow-hidden rounded-card bg-[black]',
        // While the browser asks for permission, there is no picture.
        state === 'starting' ? 'h-14' : isSmall ? 'h-28' : 'h-44 phone:h-52',
      )}
    >
      <video ref={video} muted playsInline className="size-full object-cover" aria-label={t('Camera')} />
      <span
        className="pointer-events-none absolute inset-x-[14%] inset-y-[12%] rounded-card border-2 border-accent opacity-80"
        aria-hidden
      />
      {state === 'starting' ? (
        <p role="status" className="absolute inset-0 grid place-items-center text-[white]">
          {t('Starting the camera…')}
        </p>
      ) : null}
      {hasTorch ? (
        <IconButton
          label={isLit ? t('Turn the light off') : t('Turn the light on')}
          className="absolute! top-2 end-2 text-[white]!"
          aria-pressed={isLit}
          onClick={light}
        >
          <Flashlight size={18} strokeWidth={1.6} aria-hidden />
        </IconButton>
      ) : null}
    </div>
  )
}

const whyNoCamera = (): string =>
  window.isSecureContext
    ? t('Camera unavailable or blocked.')
    : t('Browsers allow the camera on https:// only.')

/** Reads the code in a photo of a label. The person takes the photo or chooses a file; it is not uploaded. */
function PhotoInstead({
  onCode,
  onProblem,
}: {
  onCode: (code: string) => void
  onProblem: (text: string) => void
}) {
  const [isReading, setIsReading] = useState(false)
  const readPhoto = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [photo] = target.files ?? []
    target.value = ''
    if (!photo) return
    setIsReading(true)
    try {
      // The photo is scaled down, because reading a phone's 12 million pixels takes seconds, and a code is
      // readable at a width of about a thousand.
      const picture = await createImageBitmap(photo, { resizeWidth: 1280, resizeQuality: 'high' })
      const code = (await readCode(picture)) ?? (await readCode(photo))
      if (code === null) onProblem(t('No code was found in this photo. Move closer and hold still.'))
      else onCode(code)
    } catch {
      onProblem(t('This photo could not be read. Please take another one, or type the code.'))
    } finally {
      setIsReading(false)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card bg-sunken p-3">
      <CameraOff size={20} strokeWidth={1.6} className="shrink-0 text-ink-3" aria-hidden />
      <p className="min-w-40 flex-1 text-label text-ink-2">
        {t('{whyNoCamera} Take a photo of the label instead.', { whyNoCamera: whyNoCamera() })}
      </p>
      <label
        className={`${buttonClass()} relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
      >
        <CameraIcon size={16} strokeWidth={1.75} aria-hidden />
        {isReading ? t('Reading…') : t('Take a photo')}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          disabled={isReading}
          onChange={(event) => void readPhoto(event)}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </label>
    </div>
  )
}
