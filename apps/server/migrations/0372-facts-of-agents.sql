-- The capabilities that the agent of a printer sent with its last claim, and the time of the claim. They decide which
-- jobs the agent gets, so they are also a reason why a job waits.
alter table printers
  add column agent_facts jsonb,
  add column agent_facts_at timestamptz;
