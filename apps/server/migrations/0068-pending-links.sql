-- Owned by module auth: a link to an identity that is not bound to a browser. It waits until the person who started it
-- exchanges the code. The column contains the encrypted identity and the session that started the link. It is deleted
-- together with the tokens of the provider.
alter table flow_states add column link_sealed text;
