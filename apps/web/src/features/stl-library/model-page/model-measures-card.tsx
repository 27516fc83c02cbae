import type { Model } from '@pegasus/contracts/stl-library/models'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Card } from '@/components/ui/display/card.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatCount, formatKb, formatNumberOf } from '@/lib/format/format.ts'
import { Fact, FactList } from '@/components/fact-list.tsx'
import { formatFigure, formatSize, solidWeightGrams, surfaceCm2, volumeCm3 } from './model-measures.ts'

/** Measures of the model and properties of its file. */
export function ModelMeasures({ model }: { model: Model }) {
  return (
    <Card
      title="Measures"
      aside={{ pending: 'Measuring…', failed: 'Could not be measured', done: null }[model.analysis_status]}
    >
      <FactList>
        {model.analysis_status === 'pending' ? <PendingMeasures /> : <Geometry model={model} />}
        <Fact name="File" unit={[model.encoding, model.format.toUpperCase()].filter(Boolean).join(' ')}>
          {formatKb(model.file_size)}
        </Fact>
        <Sha256 hash={model.sha256} />
      </FactList>
    </Card>
  )
}

function Geometry({ model }: { model: Model }) {
  const volume = volumeCm3(model)
  const surface = surfaceCm2(model)
  const weight = solidWeightGrams(model)
  const isMeasured = model.analysis_status === 'done'
  return (
    <>
      {model.bounding_box_mm ? (
        <Fact name="Size" unit="mm">
          {formatSize(model.bounding_box_mm.size)}
        </Fact>
      ) : null}
      {volume !== null ? (
        <Fact name="Volume" unit="cm³">
          {formatFigure(volume)}
        </Fact>
      ) : isMeasured ? (
        <Fact name="Volume">
          <span className="font-normal text-ink-3">not well defined</span>
        </Fact>
      ) : null}
      {surface !== null ? (
        <Fact name="Surface" unit="cm²">
          {formatFigure(surface)}
        </Fact>
      ) : null}
      {model.triangles !== null ? (
        <Fact
          name="Triangles"
          unit={model.shells === null ? null : `· ${formatNumberOf(model.shells, 'shell')}`}
        >
          {formatCount(model.triangles)}
        </Fact>
      ) : null}
      {model.is_watertight !== null ? (
        <Fact name="Watertight">{model.is_watertight ? 'Yes' : 'No'}</Fact>
      ) : null}
      {weight !== null ? (
        <Fact name="Solid weight" unit="g in PLA, 100 % solid">
          {formatFigure(weight)}
        </Fact>
      ) : null}
    </>
  )
}

const PendingMeasures = () =>
  ['Size', 'Volume', 'Surface', 'Triangles', 'Watertight', 'Solid weight'].map((name) => (
    <Fact key={name} name={name}>
      <Skeleton className="mt-0.5 h-4 w-24" />
    </Fact>
  ))

const SHORT_HASH = 12
const COPIED_FOR_MS = 2000

function Sha256({ hash }: { hash: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    try {
      // Absent if the page was loaded over plain http from another machine.
      await navigator.clipboard.writeText(hash)
      setIsCopied(true)
      setTimeout(() => setIsCopied(false), COPIED_FOR_MS)
    } catch {
      toast({ title: hash })
    }
  }
  const Icon = isCopied ? Check : Copy
  return (
    <Fact name="SHA-256">
      <span className="inline-flex items-center gap-1">
        <span className="font-mono text-label font-medium" title={hash}>
          {hash.slice(0, SHORT_HASH)}…
        </span>
        <IconButton
          label={isCopied ? 'Copied' : 'Copy SHA-256'}
          size="sm"
          className="-my-1 -mr-1.5"
          onClick={copy}
        >
          <Icon size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </span>
    </Fact>
  )
}
