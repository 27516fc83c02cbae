import type { Model } from '@pegasus/contracts/stl-library/models'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Card } from '@/components/ui/display/card.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatCount, formatKb } from '@/lib/format/format.ts'
import { Property, PropertyList } from '@/components/property-list.tsx'
import { formatFigure, formatSize, solidWeightGrams, surfaceCm2, volumeCm3 } from './model-measures.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows the measures of the model and properties of its file. */
export function ModelMeasures({ model }: { model: Model }) {
  return (
    <Card
      title={t('Measures')}
      aside={
        { pending: t('Measuring…'), failed: t('Could not be measured'), done: null }[model.analysis_status]
      }
    >
      <PropertyList>
        {model.analysis_status === 'pending' ? <PendingMeasures /> : <Geometry model={model} />}
        <Property
          name={t('File')}
          unit={[model.encoding, model.format.toUpperCase()].filter(Boolean).join(' ')}
        >
          {formatKb(model.file_size)}
        </Property>
        <Sha256 hash={model.sha256} />
      </PropertyList>
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
        <Property name={t('Size')} unit={t('mm')}>
          {formatSize(model.bounding_box_mm.size)}
        </Property>
      ) : null}
      <Measure name={t('Volume')} unit={t('cm³')} value={volume} />
      {volume === null && isMeasured ? (
        <Property name={t('Volume')}>
          <span className="font-normal text-ink-3">{t('not well defined')}</span>
        </Property>
      ) : null}
      <Measure name={t('Surface')} unit={t('cm²')} value={surface} />
      {model.triangles !== null ? (
        <Property
          name={t('Triangles')}
          unit={
            model.shells === null
              ? null
              : `· ${t('{shells, plural, one {# shell} other {# shells}}', { shells: model.shells })}`
          }
        >
          {formatCount(model.triangles)}
        </Property>
      ) : null}
      {model.is_watertight !== null ? (
        <Property name={t('Watertight')}>{model.is_watertight ? t('Yes') : t('No')}</Property>
      ) : null}
      <Measure name={t('Solid weight')} unit={t('g in PLA, 100 % solid')} value={weight} />
    </>
  )
}

interface MeasureProps {
  name: string
  unit: string
  /** The measure; null if it is unknown, in which case the row is left out. */
  value: number | null
}

const Measure = ({ name, unit, value }: MeasureProps) =>
  value === null ? null : (
    <Property name={name} unit={unit}>
      {formatFigure(value)}
    </Property>
  )

const PendingMeasures = () =>
  [t('Size'), t('Volume'), t('Surface'), t('Triangles'), t('Watertight'), t('Solid weight')].map((name) => (
    <Property key={name} name={name}>
      <Skeleton className="mt-0.5 h-4 w-24" />
    </Property>
  ))

const SHORT_HASH = 12
const COPIED_FOR_MS = 2000

function Sha256({ hash }: { hash: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    try {
      // Pages that were loaded over plain HTTP from another machine cannot use the clipboard.
      await navigator.clipboard.writeText(hash)
      setIsCopied(true)
      setTimeout(() => setIsCopied(false), COPIED_FOR_MS)
    } catch {
      toast({ title: hash })
    }
  }
  const Icon = isCopied ? Check : Copy
  return (
    <Property name={t('SHA-256')}>
      <span className="inline-flex items-center gap-1">
        <span className="font-mono text-label font-medium" title={hash}>
          {hash.slice(0, SHORT_HASH)}…
        </span>
        <IconButton
          label={isCopied ? t('Copied') : t('Copy SHA-256')}
          size="sm"
          className="-my-1 -me-1.5"
          onClick={copy}
        >
          <Icon size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </span>
    </Property>
  )
}
