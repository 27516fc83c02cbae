import type { Model } from '@pegasus/contracts/stl-library/models'
import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { useTurntable } from './use-turntable.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows the stored pictures of both sides, and the turntable, which is drawn on request. */
export function PicturesCard({ model }: { model: Model }) {
  const turntable = useTurntable(model.id)
  if (!model.thumbnail_path) return null
  const pictures = [
    { name: t('Front'), src: model.thumbnail_path },
    ...(model.second_thumbnail_path ? [{ name: t('Back'), src: model.second_thumbnail_path }] : []),
    ...(turntable.address ? [{ name: t('Turntable'), src: turntable.address }] : []),
  ]
  return (
    <Card
      title={t('Pictures')}
      aside={
        turntable.address ? null : (
          <Button
            size="sm"
            className="touch:my-1 phone:my-1"
            icon={<RotateCw size={14} strokeWidth={1.75} aria-hidden />}
            isPending={turntable.isDrawing}
            onClick={turntable.start}
          >
            {turntable.isDrawing ? t('Drawing…') : t('Turntable')}
          </Button>
        )
      }
    >
      <div className="grid grid-cols-3 gap-3 p-4">
        {pictures.map(({ name, src }) => (
          <figure key={name} className="min-w-0">
            <PartPicture
              src={src}
              alt={t('{name} of {title}', { name, title: model.title })}
              className="aspect-square w-full"
            />
            <figcaption className="mt-1 text-caption text-ink-3">{name}</figcaption>
          </figure>
        ))}
      </div>
      {turntable.error ? (
        <p role="alert" className="px-4 pb-3 text-label font-medium text-red-ink">
          {turntable.error}
        </p>
      ) : null}
    </Card>
  )
}
