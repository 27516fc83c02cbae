-- Owned by module auth: a link that is bound to no browser waits for its beginner, who exchanges the code.
-- The encrypted identity and the session that began. Erased like the tokens of the provider.
alter table flow_states add column link_sealed text;
