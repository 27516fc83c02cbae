import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { Scanned } from '@pegasus/contracts/labels/scan'
import { ScanQrCode } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { Camera } from './camera.tsx'
import { FoundCard } from './found-card.tsx'
import { type EachScan, type PendingMutation, type Scan, useScan } from './use-scan.ts'
import { useWedge } from './use-wedge.ts'

interface ScanDialogProps {
  onClose: () => void
  /** The code scanned before the dialog opened. */
  firstCode?: string | null
  /** Addresses that show each kind of subject. */
  addressOf: (found: Scanned) => string
}

const EACH_SCAN: readonly { value: EachScan; label: string }[] = [
  { value: 'show', label: 'Shows it' },
  { value: 'take', label: 'Takes 1' },
  { value: 'put', label: 'Adds 1' },
]

/** Finds the subject of a code, from camera, scanner or keyboard, and offers the actions valid now. */
export function ScanDialog({ onClose, firstCode = null, addressOf }: ScanDialogProps) {
  const scan = useScan()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isPhone = useIsPhone()
  const mayChange = isEmployeeOrHigher(useCurrentUser().role)
  const take = (text: string) => {
    setError(null)
    void scan.scan(text)
  }
  const takeFirst = useEffectEvent(() => {
    if (firstCode !== null) take(firstCode)
  })
  useEffect(() => {
    // Once the dialog is open, and only once however often React runs this.
    const beginning = setTimeout(takeFirst)
    return () => clearTimeout(beginning)
  }, [firstCode])
  useWedge(take)

  const submit = async () => {
    const wanted = code.trim()
    if (wanted === '') return setError('Scan or type a code first.')
    setError(null)
    // A scanner types the next code right after.
    setCode('')
    if (await scan.scan(wanted)) return
    // An unknown code stays selected, to be corrected or replaced.
    if (input.current?.value !== '') return
    flushSync(() => setCode(wanted))
    input.current.select()
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="md"
      title="Scan"
      description="Point the camera at a label, use a handheld scanner, or type a code, a SKU, an order number or the title of a model."
    >
      <div className="flex flex-col gap-4">
        <Camera onCode={take} onProblem={scan.tellProblem} />
        <form
          noValidate
          className="flex items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Field label="Code" error={error ?? scan.problem} className="flex-1">
            <Input
              ref={input}
              value={code}
              onChange={(event) => {
                setCode(event.target.value)
                setError(null)
              }}
              // On a phone the keyboard would cover the camera.
              autoFocus={!isPhone}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="go"
              placeholder="Scan or type a code"
              icon={<ScanQrCode size={16} strokeWidth={1.75} aria-hidden />}
            />
          </Field>
          <Button type="submit" variant="primary" isPending={scan.isBusy} className="mt-[23px]">
            Find
          </Button>
        </form>
        <Waiting scan={scan} />
        {scan.found ? (
          <FoundCard found={scan.found} scan={scan} address={addressOf(scan.found)} onLeave={onClose} />
        ) : null}
        {mayChange ? (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
            <span className="text-label font-medium">Each scan of an item</span>
            <SegmentedControl
              label="Each scan of an item"
              value={scan.eachScan}
              options={EACH_SCAN}
              onChange={scan.setEachScan}
            />
          </div>
        ) : null}
        {scan.deeds.length > 0 ? <LastScans scan={scan} /> : null}
      </div>
    </Dialog>
  )
}

/** Says what the next scan is for. */
function Waiting({ scan }: { scan: Scan }) {
  const text = scan.moving
    ? `Scan the place that “${scan.moving.title}” is moved to, or type its name.`
    : scan.place
      ? `Everything you scan now is moved to “${scan.place.title}”.`
      : null
  if (!text) return null
  return (
    <p
      role="status"
      className="flex items-center gap-3 rounded-control bg-accent-soft px-3 py-2 text-label text-accent-ink"
    >
      <span className="flex-1 wrap-anywhere">{text}</span>
      <Button
        size="sm"
        onClick={() => {
          scan.setMoving(null)
          scan.setPlace(null)
        }}
      >
        Stop
      </Button>
    </p>
  )
}

const LastScans = ({ scan }: { scan: Scan }) => (
  <section aria-label="Last scans" className="border-t border-line pt-3">
    <h3 className="mb-1 text-label text-ink-3">Last scans</h3>
    <ul>
      {scan.deeds.map((deed) => (
        <LastScan key={deed.id} deed={deed} isBusy={scan.isBusy} onUndo={() => void scan.undo(deed)} />
      ))}
    </ul>
  </section>
)

const LastScan = ({
  deed,
  isBusy,
  onUndo,
}: {
  deed: PendingMutation
  isBusy: boolean
  onUndo: () => void
}) => (
  <li className="flex min-h-11 items-center gap-3 py-1">
    <PartPicture src={deed.found.thumbnail_path} tint={deed.found.color_hex} className="size-9" />
    <span className="min-w-0 flex-1">
      <bdi className="block truncate">{deed.found.title}</bdi>
      <span className="block text-label text-ink-3">
        {deed.isUndone ? `${deed.what}, undone` : deed.what}
      </span>
    </span>
    {deed.undo && !deed.isUndone ? (
      <Button
        variant="ghost"
        size="sm"
        disabled={isBusy}
        aria-label={`Undo: ${deed.found.title}, ${deed.what}`}
        onClick={onUndo}
      >
        Undo
      </Button>
    ) : null}
  </li>
)
