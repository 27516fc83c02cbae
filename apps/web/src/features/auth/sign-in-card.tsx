import type { FormEventHandler, ReactNode } from 'react'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { Button } from '@/components/ui/button.tsx'

interface SignInCardProps {
  title: string
  /** Why the last try failed; stands above the fields. */
  failure: string | null
  isPending: boolean
  submitText: string
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
}

export function SignInCard({ title, failure, isPending, submitText, onSubmit, children }: SignInCardProps) {
  return (
    <form
      noValidate
      onSubmit={onSubmit}
      className="flex flex-col gap-3.5 rounded-card border border-line bg-surface px-6 pt-5 pb-6 phone:px-4"
    >
      <h2 className="text-[1rem] leading-6 font-[620]">{title}</h2>
      {failure ? <AlertBox title={failure} /> : null}
      {children}
      <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-0.5">
        {submitText}
      </Button>
    </form>
  )
}
