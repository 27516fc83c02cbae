import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'

/** The reason why the link of a mail did nothing. The form below requests another one. */
export const LinkRefused = ({ sentence }: { sentence: string }) => (
  <AlertBox title={sentence}>Each link works once, and only for a while. Request a new one below.</AlertBox>
)
