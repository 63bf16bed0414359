--
-- PostgreSQL database dump
--

\restrict dZQ24jxuZ8ZkWwPsahcbISpob0eqwKeByvRzsl0IHtIiz31Dnq8zgvcYiIb2xnN

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: pdb_json_leaves(text, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.pdb_json_leaves(key text, json jsonb) RETURNS TABLE(path text, value jsonb, type text, depth integer)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  with recursive walk(path, value, depth) as (
    select '[' || to_json(key)::text, json, 0
    union all
    select walk.path || ',' || item.key, item.value, walk.depth + 1
    from walk cross join lateral (
      select to_json(member.key)::text as key, member.value as value
      from jsonb_each(case jsonb_typeof(walk.value) when 'object' then walk.value else '{}' end) member
      union all
      select (number - 1)::text, element
      from jsonb_array_elements(case jsonb_typeof(walk.value) when 'array' then walk.value else '[]' end)
        with ordinality as elements(element, number)
    ) item
    where jsonb_typeof(walk.value) in ('object', 'array')
  )
  select path || ']' collate "C", value,
    case jsonb_typeof(value)
      when 'number' then case when value::text ~ '^-?[0-9]+$' then 'integer' else 'float' end
      else jsonb_typeof(value)
    end,
    depth
  from walk where jsonb_typeof(value) not in ('object', 'array')
$_$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: pdb_catalog_inputs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_catalog_inputs (
    node_id bigint NOT NULL,
    catalog_uuid text NOT NULL COLLATE pg_catalog."C",
    producer_timestamp text NOT NULL COLLATE pg_catalog."C",
    inputs jsonb NOT NULL
);


--
-- Name: pdb_catalogs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_catalogs (
    node_id bigint NOT NULL,
    environment text COLLATE pg_catalog."C",
    producer text COLLATE pg_catalog."C",
    producer_timestamp text NOT NULL COLLATE pg_catalog."C",
    "timestamp" text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    transaction_uuid text COLLATE pg_catalog."C",
    catalog_uuid text COLLATE pg_catalog."C",
    code_id text COLLATE pg_catalog."C",
    job_id text COLLATE pg_catalog."C",
    edge_set text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    resource_count bigint DEFAULT 0 NOT NULL
);


--
-- Name: pdb_dead_letters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_dead_letters (
    id text NOT NULL COLLATE pg_catalog."C",
    command text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    certname text NOT NULL COLLATE pg_catalog."C",
    received text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL COLLATE pg_catalog."C",
    payload bytea NOT NULL
);


--
-- Name: pdb_edge_sets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_edge_sets (
    hash text NOT NULL COLLATE pg_catalog."C",
    edges jsonb NOT NULL
);


--
-- Name: pdb_environments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_environments (
    name text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: pdb_event_sets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_event_sets (
    event_set text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    resource_type text NOT NULL COLLATE pg_catalog."C",
    resource_title text NOT NULL COLLATE pg_catalog."C",
    containing_class text COLLATE pg_catalog."C",
    repeats_class boolean NOT NULL,
    events bigint NOT NULL
);


--
-- Name: pdb_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_events (
    report_id bigint NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    "timestamp" text NOT NULL COLLATE pg_catalog."C",
    resource_type text NOT NULL COLLATE pg_catalog."C",
    resource_title text NOT NULL COLLATE pg_catalog."C",
    property text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    new_value jsonb,
    old_value jsonb,
    message text COLLATE pg_catalog."C",
    file text COLLATE pg_catalog."C",
    line bigint,
    containment_path jsonb,
    containing_class text COLLATE pg_catalog."C",
    corrective_change boolean
)
PARTITION BY RANGE (report_id);


--
-- Name: pdb_events_d20782; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_events_d20782 (
    report_id bigint NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    "timestamp" text NOT NULL COLLATE pg_catalog."C",
    resource_type text NOT NULL COLLATE pg_catalog."C",
    resource_title text NOT NULL COLLATE pg_catalog."C",
    property text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    new_value jsonb,
    old_value jsonb,
    message text COLLATE pg_catalog."C",
    file text COLLATE pg_catalog."C",
    line bigint,
    containment_path jsonb,
    containing_class text COLLATE pg_catalog."C",
    corrective_change boolean
);


--
-- Name: pdb_events_undated; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_events_undated (
    report_id bigint NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    "timestamp" text NOT NULL COLLATE pg_catalog."C",
    resource_type text NOT NULL COLLATE pg_catalog."C",
    resource_title text NOT NULL COLLATE pg_catalog."C",
    property text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    new_value jsonb,
    old_value jsonb,
    message text COLLATE pg_catalog."C",
    file text COLLATE pg_catalog."C",
    line bigint,
    containment_path jsonb,
    containing_class text COLLATE pg_catalog."C",
    corrective_change boolean
);


--
-- Name: pdb_facts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_facts (
    name text NOT NULL COLLATE pg_catalog."C",
    node_id bigint NOT NULL,
    value jsonb NOT NULL
);


--
-- Name: pdb_factsets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_factsets (
    node_id bigint NOT NULL,
    environment text COLLATE pg_catalog."C",
    producer text COLLATE pg_catalog."C",
    producer_timestamp text NOT NULL COLLATE pg_catalog."C",
    "timestamp" text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: pdb_nodes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_nodes (
    id bigint NOT NULL,
    certname text NOT NULL COLLATE pg_catalog."C",
    deactivated text COLLATE pg_catalog."C",
    expired text COLLATE pg_catalog."C",
    expires_facts boolean NOT NULL,
    expires_facts_updated text COLLATE pg_catalog."C",
    latest_report_id bigint,
    latest_report_timestamp text COLLATE pg_catalog."C"
);


--
-- Name: pdb_nodes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.pdb_nodes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pdb_nodes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: pdb_packages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_packages (
    node_id bigint NOT NULL,
    package_name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: pdb_parameters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_parameters (
    resource text NOT NULL COLLATE pg_catalog."C",
    parameters jsonb NOT NULL
);


--
-- Name: pdb_producers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_producers (
    name text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: pdb_report_documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_report_documents (
    report_id bigint NOT NULL,
    metrics json,
    logs json
)
PARTITION BY RANGE (report_id);


--
-- Name: pdb_report_documents_d20782; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_report_documents_d20782 (
    report_id bigint NOT NULL,
    metrics json,
    logs json
);


--
-- Name: pdb_report_documents_undated; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_report_documents_undated (
    report_id bigint NOT NULL,
    metrics json,
    logs json
);


--
-- Name: pdb_report_ids; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.pdb_report_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: pdb_reports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_reports (
    id bigint NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    node_id bigint NOT NULL,
    environment text COLLATE pg_catalog."C",
    producer text COLLATE pg_catalog."C",
    status text COLLATE pg_catalog."C",
    noop boolean,
    noop_pending boolean,
    corrective_change boolean,
    puppet_version text NOT NULL COLLATE pg_catalog."C",
    report_format bigint NOT NULL,
    configuration_version text NOT NULL COLLATE pg_catalog."C",
    start_time text NOT NULL COLLATE pg_catalog."C",
    end_time text NOT NULL COLLATE pg_catalog."C",
    producer_timestamp text NOT NULL COLLATE pg_catalog."C",
    receive_time text NOT NULL COLLATE pg_catalog."C",
    transaction_uuid text COLLATE pg_catalog."C",
    catalog_uuid text COLLATE pg_catalog."C",
    code_id text COLLATE pg_catalog."C",
    job_id text COLLATE pg_catalog."C",
    cached_catalog_status text COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    skips bigint NOT NULL,
    successes bigint NOT NULL,
    noops bigint NOT NULL,
    event_set text COLLATE pg_catalog."C",
    own_event_set text COLLATE pg_catalog."C"
)
PARTITION BY RANGE (id);


--
-- Name: pdb_reports_d20782; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_reports_d20782 (
    id bigint NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    node_id bigint NOT NULL,
    environment text COLLATE pg_catalog."C",
    producer text COLLATE pg_catalog."C",
    status text COLLATE pg_catalog."C",
    noop boolean,
    noop_pending boolean,
    corrective_change boolean,
    puppet_version text NOT NULL COLLATE pg_catalog."C",
    report_format bigint NOT NULL,
    configuration_version text NOT NULL COLLATE pg_catalog."C",
    start_time text NOT NULL COLLATE pg_catalog."C",
    end_time text NOT NULL COLLATE pg_catalog."C",
    producer_timestamp text NOT NULL COLLATE pg_catalog."C",
    receive_time text NOT NULL COLLATE pg_catalog."C",
    transaction_uuid text COLLATE pg_catalog."C",
    catalog_uuid text COLLATE pg_catalog."C",
    code_id text COLLATE pg_catalog."C",
    job_id text COLLATE pg_catalog."C",
    cached_catalog_status text COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    skips bigint NOT NULL,
    successes bigint NOT NULL,
    noops bigint NOT NULL,
    event_set text COLLATE pg_catalog."C",
    own_event_set text COLLATE pg_catalog."C"
);


--
-- Name: pdb_reports_undated; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_reports_undated (
    id bigint NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    node_id bigint NOT NULL,
    environment text COLLATE pg_catalog."C",
    producer text COLLATE pg_catalog."C",
    status text COLLATE pg_catalog."C",
    noop boolean,
    noop_pending boolean,
    corrective_change boolean,
    puppet_version text NOT NULL COLLATE pg_catalog."C",
    report_format bigint NOT NULL,
    configuration_version text NOT NULL COLLATE pg_catalog."C",
    start_time text NOT NULL COLLATE pg_catalog."C",
    end_time text NOT NULL COLLATE pg_catalog."C",
    producer_timestamp text NOT NULL COLLATE pg_catalog."C",
    receive_time text NOT NULL COLLATE pg_catalog."C",
    transaction_uuid text COLLATE pg_catalog."C",
    catalog_uuid text COLLATE pg_catalog."C",
    code_id text COLLATE pg_catalog."C",
    job_id text COLLATE pg_catalog."C",
    cached_catalog_status text COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    skips bigint NOT NULL,
    successes bigint NOT NULL,
    noops bigint NOT NULL,
    event_set text COLLATE pg_catalog."C",
    own_event_set text COLLATE pg_catalog."C"
);


--
-- Name: pdb_resources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pdb_resources (
    node_id bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    resource text NOT NULL COLLATE pg_catalog."C",
    tags jsonb NOT NULL,
    exported boolean NOT NULL,
    file text COLLATE pg_catalog."C",
    line bigint
);


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    component text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    digest text NOT NULL
);


--
-- Name: pdb_events_d20782; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_events ATTACH PARTITION public.pdb_events_d20782 FOR VALUES FROM ('1428128165527552') TO ('1428196885004288');


--
-- Name: pdb_events_undated; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_events ATTACH PARTITION public.pdb_events_undated FOR VALUES FROM (MINVALUE) TO ('68719476736');


--
-- Name: pdb_report_documents_d20782; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_report_documents ATTACH PARTITION public.pdb_report_documents_d20782 FOR VALUES FROM ('1428128165527552') TO ('1428196885004288');


--
-- Name: pdb_report_documents_undated; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_report_documents ATTACH PARTITION public.pdb_report_documents_undated FOR VALUES FROM (MINVALUE) TO ('68719476736');


--
-- Name: pdb_reports_d20782; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_reports ATTACH PARTITION public.pdb_reports_d20782 FOR VALUES FROM ('1428128165527552') TO ('1428196885004288');


--
-- Name: pdb_reports_undated; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_reports ATTACH PARTITION public.pdb_reports_undated FOR VALUES FROM (MINVALUE) TO ('68719476736');


--
-- Data for Name: pdb_catalog_inputs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_catalog_inputs (node_id, catalog_uuid, producer_timestamp, inputs) FROM stdin;
\.


--
-- Data for Name: pdb_catalogs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_catalogs (node_id, environment, producer, producer_timestamp, "timestamp", hash, version, transaction_uuid, catalog_uuid, code_id, job_id, edge_set, content, resource_count) FROM stdin;
1	production	compile1.bunraku.test	2026-11-25T20:55:47.796Z	2026-11-25T20:55:47.960Z	142f700140cff063fa0b0e0087803c07b2631d98	1795640142	691d550d-75dd-4ca6-9904-cd589e30d69b	391b2977-80d0-40bf-88af-edaeaa36a8ae	urn:puppet:code-id:1:e4fa30ea9f4669c0ddcb2666a965390e04f31926;production	\N	0d3b4dd28a73694171740580309e9f3be55c79d6	named 5d6fef4c2b9b6cafc98551dcc4c454507b98ef39	21
\.


--
-- Data for Name: pdb_dead_letters; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_dead_letters (id, command, version, certname, received, reason, payload) FROM stdin;
\.


--
-- Data for Name: pdb_edge_sets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_edge_sets (hash, edges) FROM stdin;
0d3b4dd28a73694171740580309e9f3be55c79d6	[{"source_type": "Website::Page", "target_type": "File", "relationship": "before", "source_title": "about", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt"}, {"source_type": "Website::Page", "target_type": "File", "relationship": "before", "source_title": "index", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt"}, {"source_type": "Website::Page", "target_type": "File", "relationship": "before", "source_title": "packages", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt"}, {"source_type": "Class", "target_type": "File", "relationship": "contains", "source_title": "Profile::Base", "target_title": "/tmp/bunraku-demo"}, {"source_type": "Class", "target_type": "File", "relationship": "contains", "source_title": "Profile::Base", "target_title": "/tmp/bunraku-demo/web01.e2e.test"}, {"source_type": "Class", "target_type": "File", "relationship": "contains", "source_title": "Profile::Base", "target_title": "/tmp/bunraku-demo/web01.e2e.test/motd"}, {"source_type": "Class", "target_type": "Class", "relationship": "contains", "source_title": "Profile::Website", "target_title": "Website"}, {"source_type": "Class", "target_type": "File", "relationship": "contains", "source_title": "Website", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website"}, {"source_type": "Class", "target_type": "File", "relationship": "contains", "source_title": "Website", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/assets"}, {"source_type": "Class", "target_type": "File", "relationship": "contains", "source_title": "Website", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt"}, {"source_type": "Class", "target_type": "Website::Page", "relationship": "contains", "source_title": "Website", "target_title": "about"}, {"source_type": "Class", "target_type": "Website::Page", "relationship": "contains", "source_title": "Website", "target_title": "index"}, {"source_type": "Class", "target_type": "Website::Page", "relationship": "contains", "source_title": "Website", "target_title": "packages"}, {"source_type": "Website::Page", "target_type": "File", "relationship": "contains", "source_title": "about", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/about.html"}, {"source_type": "Website::Page", "target_type": "File", "relationship": "contains", "source_title": "index", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/index.html"}, {"source_type": "Class", "target_type": "Node", "relationship": "contains", "source_title": "main", "target_title": "__node_regexp__webd."}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "Profile::Base"}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "Profile::Website"}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "Role::Base"}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "Role::Webserver"}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "Settings"}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "Website"}, {"source_type": "Stage", "target_type": "Class", "relationship": "contains", "source_title": "main", "target_title": "main"}, {"source_type": "Website::Page", "target_type": "File", "relationship": "contains", "source_title": "packages", "target_title": "/tmp/bunraku-demo/web01.e2e.test/website/packages.html"}, {"source_type": "Class", "target_type": "Class", "relationship": "required-by", "source_title": "Profile::Base", "target_title": "Profile::Website"}]
\.


--
-- Data for Name: pdb_environments; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_environments (name) FROM stdin;
production
\.


--
-- Data for Name: pdb_event_sets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_event_sets (event_set, "position", status, resource_type, resource_title, containing_class, repeats_class, events) FROM stdin;
\.


--
-- Data for Name: pdb_events_d20782; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_events_d20782 (report_id, "position", status, "timestamp", resource_type, resource_title, property, name, new_value, old_value, message, file, line, containment_path, containing_class, corrective_change) FROM stdin;
\.


--
-- Data for Name: pdb_events_undated; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_events_undated (report_id, "position", status, "timestamp", resource_type, resource_title, property, name, new_value, old_value, message, file, line, containment_path, containing_class, corrective_change) FROM stdin;
\.


--
-- Data for Name: pdb_facts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_facts (name, node_id, value) FROM stdin;
os	1	{"name": "Ubuntu", "family": "Debian", "release": {"full": "24.04", "major": "24.04"}, "architecture": "x86_64"}
kernel	1	"Linux"
networking	1	{"ip": "192.0.2.2", "fqdn": "web01.e2e.test", "domain": "e2e.test", "hostname": "web01"}
processors	1	{"isa": "x86_64", "count": 3}
memory	1	{"system": {"total_bytes": 8589934592}}
virtual	1	"kvm"
is_virtual	1	true
puppetversion	1	"8.10.0"
clientcert	1	"web01.e2e.test"
clientversion	1	"8.10.0"
clientnoop	1	false
trusted	1	{"domain": "e2e.test", "certname": "web01.e2e.test", "external": {}, "hostname": "web01", "extensions": {}, "authenticated": "remote"}
\.


--
-- Data for Name: pdb_factsets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_factsets (node_id, environment, producer, producer_timestamp, "timestamp", hash) FROM stdin;
1	production	compile1.bunraku.test	2026-11-25T20:55:47.557Z	2026-11-25T20:55:47.666Z	35a08e6a556c254e1d38269066cf17f121c45412
\.


--
-- Data for Name: pdb_nodes; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_nodes (id, certname, deactivated, expired, expires_facts, expires_facts_updated, latest_report_id, latest_report_timestamp) FROM stdin;
1	web01.e2e.test	\N	\N	t	\N	1428128165527554	2026-11-25T20:55:47.761Z
\.


--
-- Data for Name: pdb_packages; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_packages (node_id, package_name, version, provider) FROM stdin;
\.


--
-- Data for Name: pdb_parameters; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_parameters (resource, parameters) FROM stdin;
000e892e4c6276bfe30e96185b0ba5e78d93621a	{}
02eedf3d0c02cba430c3e9b147a69d9fa5d15c60	{"name": "main", "alias": ["main"]}
09228004116d38959290eb1c9ea461c71bf23069	{"ensure": "file", "content": "about.html\\nindex.html\\npackages.html\\n"}
0b48396242e25e2457c4647c23d030074865ea30	{"ensure": "file", "content": "<!doctype html>\\n<title>Packages - A page for web01.e2e.test</title>\\n<link rel=\\"stylesheet\\" href=\\"assets/css/site.css\\">\\n<h1>Packages</h1>\\n<p>This node installs its packages with apt.</p>\\n"}
17bde66862328fb4df984bc067bbd5330cc773e0	{"contact": "operations@example.com", "directory": "/tmp/bunraku-demo/web01.e2e.test"}
19f758a34555e7897f89df3f6f96f3c4a8185616	{"name": "main", "alias": ["main"]}
20431ec9137cae046a4d0723a484e571880a11e4	{"body": "Its facts say that it runs Ubuntu.", "before": ["File[/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt]"], "heading": "About this node", "directory": "/tmp/bunraku-demo/web01.e2e.test/website", "site_title": "A page for web01.e2e.test"}
20af43395b393415e5ba7794b7dfed098a4546b7	{"mode": "0644", "ensure": "file", "content": "Welcome to web01.e2e.test (Ubuntu 24.04).\\n\\nEnvironment:  production\\nQuestions to: operations@example.com\\n"}
2458bb4099aacd88663e6408dc8b3c5585c58659	{"ensure": "directory"}
387892a75fc3e3de610aee146ff3514fb774d960	{"ensure": "file", "content": "<!doctype html>\\n<title>It works - A page for web01.e2e.test</title>\\n<link rel=\\"stylesheet\\" href=\\"assets/css/site.css\\">\\n<h1>It works</h1>\\n<p>This file was made from a catalog that a compile server compiled.</p>\\n"}
3fa48ecbd844cdfa4b6e5c5c699dfc8c9b452838	{}
4a7e631ef5a4d3b363b29f7da6b997080a5f183e	{"ensure": "directory", "source": "puppet:///modules/website/assets", "recurse": true}
6973d76af74ada8458d637ecfd8035bd19fb7869	{"body": "This file was made from a catalog that a compile server compiled.", "before": ["File[/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt]"], "heading": "It works", "directory": "/tmp/bunraku-demo/web01.e2e.test/website", "site_title": "A page for web01.e2e.test"}
746e839942cf8b92983031106f559e20a143f20b	{}
80a1e3e5eb9af19bb58cb650dfa0c6cd2f9d6c3d	{"require": ["Class[Profile::Base]"]}
88d926b0b372abe3f4c51d26f46b66ee9513437b	{"ensure": "file", "content": "<!doctype html>\\n<title>About this node - A page for web01.e2e.test</title>\\n<link rel=\\"stylesheet\\" href=\\"assets/css/site.css\\">\\n<h1>About this node</h1>\\n<p>Its facts say that it runs Ubuntu.</p>\\n"}
ca491dac38187d41089ddd3f15d2c0d2b4175c97	{"ensure": "directory"}
f1ccda0b4e01e8c9ffb17a77b47f16ea29534fa5	{"ensure": "directory"}
f3889b5c0b6beab7d14487770b31cccd3b3d5ee2	{}
f74970066aae32ecd8dae0f60f39adff591aaf1c	{"pages": {"about": {"body": "Its facts say that it runs Ubuntu.", "heading": "About this node"}, "index": {"body": "This file was made from a catalog that a compile server compiled.", "heading": "It works"}, "packages": {"body": "This node installs its packages with apt.", "heading": "Packages"}}, "directory": "/tmp/bunraku-demo/web01.e2e.test/website", "site_title": "A page for web01.e2e.test"}
fd0698687fd33deeac78e82767fc8fadc86182fa	{"body": "This node installs its packages with apt.", "before": ["File[/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt]"], "heading": "Packages", "directory": "/tmp/bunraku-demo/web01.e2e.test/website", "site_title": "A page for web01.e2e.test"}
\.


--
-- Data for Name: pdb_producers; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_producers (name) FROM stdin;
compile1.bunraku.test
\.


--
-- Data for Name: pdb_report_documents_d20782; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_report_documents_d20782 (report_id, metrics, logs) FROM stdin;
1428128165527554	[{"category":"resources","name":"total","value":21},{"category":"time","name":"total","value":0.7574084399999993},{"category":"changes","name":"total","value":0},{"category":"events","name":"total","value":0}]	[]
\.


--
-- Data for Name: pdb_report_documents_undated; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_report_documents_undated (report_id, metrics, logs) FROM stdin;
\.


--
-- Data for Name: pdb_reports_d20782; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_reports_d20782 (id, hash, node_id, environment, producer, status, noop, noop_pending, corrective_change, puppet_version, report_format, configuration_version, start_time, end_time, producer_timestamp, receive_time, transaction_uuid, catalog_uuid, code_id, job_id, cached_catalog_status, type, failures, skips, successes, noops, event_set, own_event_set) FROM stdin;
1428128165527554	3bd420852f3359c4b61c20d2ded2ab4c82b4ad4f	1	production	compile1.bunraku.test	unchanged	f	f	\N	8.10.0	12	1795640142	2026-11-25T20:55:47.732Z	2026-11-25T20:55:48.489Z	2026-11-25T20:55:47.761Z	2026-11-25T20:55:47.884Z	691d550d-75dd-4ca6-9904-cd589e30d69b	391b2977-80d0-40bf-88af-edaeaa36a8ae	urn:puppet:code-id:1:e4fa30ea9f4669c0ddcb2666a965390e04f31926;production	\N	not_used	agent	0	0	0	0		
\.


--
-- Data for Name: pdb_reports_undated; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_reports_undated (id, hash, node_id, environment, producer, status, noop, noop_pending, corrective_change, puppet_version, report_format, configuration_version, start_time, end_time, producer_timestamp, receive_time, transaction_uuid, catalog_uuid, code_id, job_id, cached_catalog_status, type, failures, skips, successes, noops, event_set, own_event_set) FROM stdin;
\.


--
-- Data for Name: pdb_resources; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pdb_resources (node_id, type, title, resource, tags, exported, file, line) FROM stdin;
1	Stage	main	19f758a34555e7897f89df3f6f96f3c4a8185616	["stage"]	f	\N	\N
1	Class	Settings	3fa48ecbd844cdfa4b6e5c5c699dfc8c9b452838	["class", "settings"]	f	\N	\N
1	Class	main	02eedf3d0c02cba430c3e9b147a69d9fa5d15c60	["class"]	f	\N	\N
1	Node	__node_regexp__webd.	f3889b5c0b6beab7d14487770b31cccd3b3d5ee2	["__node_regexp__webd.", "class", "node"]	f	\N	\N
1	Class	Role::Webserver	746e839942cf8b92983031106f559e20a143f20b	["__node_regexp__webd.", "class", "node", "role", "role::webserver", "webserver"]	f	\N	\N
1	Class	Role::Base	000e892e4c6276bfe30e96185b0ba5e78d93621a	["__node_regexp__webd.", "base", "class", "node", "role", "role::base", "role::webserver", "webserver"]	f	\N	\N
1	Class	Profile::Base	17bde66862328fb4df984bc067bbd5330cc773e0	["__node_regexp__webd.", "base", "class", "node", "profile", "profile::base", "role", "role::base", "role::webserver", "webserver"]	f	\N	\N
1	File	/tmp/bunraku-demo	ca491dac38187d41089ddd3f15d2c0d2b4175c97	["__node_regexp__webd.", "base", "class", "file", "node", "profile", "profile::base", "role", "role::base", "role::webserver", "webserver"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/profile/manifests/base.pp	9
1	File	/tmp/bunraku-demo/web01.e2e.test	f1ccda0b4e01e8c9ffb17a77b47f16ea29534fa5	["__node_regexp__webd.", "base", "class", "file", "node", "profile", "profile::base", "role", "role::base", "role::webserver", "webserver"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/profile/manifests/base.pp	9
1	File	/tmp/bunraku-demo/web01.e2e.test/motd	20af43395b393415e5ba7794b7dfed098a4546b7	["__node_regexp__webd.", "base", "class", "file", "node", "profile", "profile::base", "role", "role::base", "role::webserver", "webserver"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/profile/manifests/base.pp	13
1	Class	Profile::Website	80a1e3e5eb9af19bb58cb650dfa0c6cd2f9d6c3d	["__node_regexp__webd.", "base", "class", "node", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website"]	f	\N	\N
1	Class	Website	f74970066aae32ecd8dae0f60f39adff591aaf1c	["__node_regexp__webd.", "base", "class", "node", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/profile/manifests/website.pp	5
1	File	/tmp/bunraku-demo/web01.e2e.test/website	2458bb4099aacd88663e6408dc8b3c5585c58659	["__node_regexp__webd.", "base", "class", "file", "node", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/init.pp	11
1	File	/tmp/bunraku-demo/web01.e2e.test/website/assets	4a7e631ef5a4d3b363b29f7da6b997080a5f183e	["__node_regexp__webd.", "base", "class", "file", "node", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/init.pp	15
1	Website::Page	index	6973d76af74ada8458d637ecfd8035bd19fb7869	["__node_regexp__webd.", "base", "class", "index", "node", "page", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website", "website::page"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/init.pp	22
1	Website::Page	about	20431ec9137cae046a4d0723a484e571880a11e4	["__node_regexp__webd.", "about", "base", "class", "node", "page", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website", "website::page"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/init.pp	22
1	Website::Page	packages	fd0698687fd33deeac78e82767fc8fadc86182fa	["__node_regexp__webd.", "base", "class", "node", "packages", "page", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website", "website::page"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/init.pp	22
1	File	/tmp/bunraku-demo/web01.e2e.test/website/sitemap.txt	09228004116d38959290eb1c9ea461c71bf23069	["__node_regexp__webd.", "base", "class", "file", "node", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/init.pp	29
1	File	/tmp/bunraku-demo/web01.e2e.test/website/index.html	387892a75fc3e3de610aee146ff3514fb774d960	["__node_regexp__webd.", "base", "class", "file", "index", "node", "page", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website", "website::page"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/page.pp	13
1	File	/tmp/bunraku-demo/web01.e2e.test/website/about.html	88d926b0b372abe3f4c51d26f46b66ee9513437b	["__node_regexp__webd.", "about", "base", "class", "file", "node", "page", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website", "website::page"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/page.pp	13
1	File	/tmp/bunraku-demo/web01.e2e.test/website/packages.html	0b48396242e25e2457c4647c23d030074865ea30	["__node_regexp__webd.", "base", "class", "file", "node", "packages", "page", "profile", "profile::website", "role", "role::base", "role::webserver", "webserver", "website", "website::page"]	f	/tmp/bunraku-record-2XDSVX/compile1/code/environments/production/site-modules/website/manifests/page.pp	13
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migrations (component, number, name, digest) FROM stdin;
puppetdb	1	keep facts, catalogs and reports of nodes	8c3aa388420191baf7d62d1bbb86e5683251f4eaa69a4d4c8501aa5f4e0e6ce7
puppetdb	2	keep reports of each day apart	e4a36bdc79d44e9c3697e6fa1ec58cd80ee7d98fe82559c39d5c602c3fe3634e
puppetdb	3	know how many resources a catalog has	a279e01d9e04ed8e71bde6bc1c0df214dbb175cce1151f10a825ad85939b6e96
puppetdb	4	find reports by their times, count events without reading them	51af9b24118786bad35ac179a5f263f40578866e807a52ffada98d214611e9c3
puppetdb	5	keep keys in the order in which they are answered	e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
puppetdb	6	keep once what happened in many reports	f3e34bfa124510eb97cad64f20a7a5d4998139052facdd7f56b1a7ebc43f1e11
\.


--
-- Name: pdb_nodes_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pdb_nodes_id_seq', 1, true);


--
-- Name: pdb_report_ids; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.pdb_report_ids', 2, true);


--
-- Name: pdb_catalog_inputs pdb_catalog_inputs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_catalog_inputs
    ADD CONSTRAINT pdb_catalog_inputs_pkey PRIMARY KEY (node_id);


--
-- Name: pdb_catalogs pdb_catalogs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_catalogs
    ADD CONSTRAINT pdb_catalogs_pkey PRIMARY KEY (node_id);


--
-- Name: pdb_dead_letters pdb_dead_letters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_dead_letters
    ADD CONSTRAINT pdb_dead_letters_pkey PRIMARY KEY (id);


--
-- Name: pdb_edge_sets pdb_edge_sets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_edge_sets
    ADD CONSTRAINT pdb_edge_sets_pkey PRIMARY KEY (hash);


--
-- Name: pdb_environments pdb_environments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_environments
    ADD CONSTRAINT pdb_environments_pkey PRIMARY KEY (name);


--
-- Name: pdb_event_sets pdb_event_sets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_event_sets
    ADD CONSTRAINT pdb_event_sets_pkey PRIMARY KEY (event_set, "position");


--
-- Name: pdb_events pdb_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_events
    ADD CONSTRAINT pdb_events_pkey PRIMARY KEY (report_id, "position");


--
-- Name: pdb_events_d20782 pdb_events_d20782_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_events_d20782
    ADD CONSTRAINT pdb_events_d20782_pkey PRIMARY KEY (report_id, "position");


--
-- Name: pdb_events_undated pdb_events_undated_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_events_undated
    ADD CONSTRAINT pdb_events_undated_pkey PRIMARY KEY (report_id, "position");


--
-- Name: pdb_facts pdb_facts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_facts
    ADD CONSTRAINT pdb_facts_pkey PRIMARY KEY (name, node_id);


--
-- Name: pdb_factsets pdb_factsets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_factsets
    ADD CONSTRAINT pdb_factsets_pkey PRIMARY KEY (node_id);


--
-- Name: pdb_nodes pdb_nodes_certname_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_nodes
    ADD CONSTRAINT pdb_nodes_certname_key UNIQUE (certname);


--
-- Name: pdb_nodes pdb_nodes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_nodes
    ADD CONSTRAINT pdb_nodes_pkey PRIMARY KEY (id);


--
-- Name: pdb_packages pdb_packages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_packages
    ADD CONSTRAINT pdb_packages_pkey PRIMARY KEY (node_id, package_name, version, provider);


--
-- Name: pdb_parameters pdb_parameters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_parameters
    ADD CONSTRAINT pdb_parameters_pkey PRIMARY KEY (resource);


--
-- Name: pdb_producers pdb_producers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_producers
    ADD CONSTRAINT pdb_producers_pkey PRIMARY KEY (name);


--
-- Name: pdb_report_documents pdb_report_documents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_report_documents
    ADD CONSTRAINT pdb_report_documents_pkey PRIMARY KEY (report_id);


--
-- Name: pdb_report_documents_d20782 pdb_report_documents_d20782_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_report_documents_d20782
    ADD CONSTRAINT pdb_report_documents_d20782_pkey PRIMARY KEY (report_id);


--
-- Name: pdb_report_documents_undated pdb_report_documents_undated_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_report_documents_undated
    ADD CONSTRAINT pdb_report_documents_undated_pkey PRIMARY KEY (report_id);


--
-- Name: pdb_reports pdb_reports_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_reports
    ADD CONSTRAINT pdb_reports_pkey PRIMARY KEY (id);


--
-- Name: pdb_reports_d20782 pdb_reports_d20782_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_reports_d20782
    ADD CONSTRAINT pdb_reports_d20782_pkey PRIMARY KEY (id);


--
-- Name: pdb_reports_undated pdb_reports_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_reports_undated
    ADD CONSTRAINT pdb_reports_hash_key UNIQUE (hash);


--
-- Name: pdb_reports_undated pdb_reports_undated_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_reports_undated
    ADD CONSTRAINT pdb_reports_undated_pkey PRIMARY KEY (id);


--
-- Name: pdb_resources pdb_resources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pdb_resources
    ADD CONSTRAINT pdb_resources_pkey PRIMARY KEY (node_id, type, title);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (component, number);


--
-- Name: pdb_events_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_by_time ON ONLY public.pdb_events USING btree ("timestamp");


--
-- Name: pdb_events_counted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_counted ON ONLY public.pdb_events USING btree (report_id, status, containing_class, resource_type);


--
-- Name: pdb_events_d20782_report_id_status_containing_class_resourc_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_d20782_report_id_status_containing_class_resourc_idx ON public.pdb_events_d20782 USING btree (report_id, status, containing_class, resource_type);


--
-- Name: pdb_events_of_resource; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_of_resource ON ONLY public.pdb_events USING btree (resource_type, resource_title);


--
-- Name: pdb_events_d20782_resource_type_resource_title_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_d20782_resource_type_resource_title_idx ON public.pdb_events_d20782 USING btree (resource_type, resource_title);


--
-- Name: pdb_events_d20782_timestamp_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_d20782_timestamp_idx ON public.pdb_events_d20782 USING btree ("timestamp");


--
-- Name: pdb_events_undated_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_undated_by_time ON public.pdb_events_undated USING btree ("timestamp");


--
-- Name: pdb_events_undated_of_resource; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_undated_of_resource ON public.pdb_events_undated USING btree (resource_type, resource_title);


--
-- Name: pdb_events_undated_report_id_status_containing_class_resour_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_events_undated_report_id_status_containing_class_resour_idx ON public.pdb_events_undated USING btree (report_id, status, containing_class, resource_type);


--
-- Name: pdb_facts_of_node; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_facts_of_node ON public.pdb_facts USING btree (node_id);


--
-- Name: pdb_reports_by_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_by_end ON ONLY public.pdb_reports USING btree (end_time);


--
-- Name: pdb_reports_by_event_set; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_by_event_set ON ONLY public.pdb_reports USING btree (event_set);


--
-- Name: pdb_reports_by_own_event_set; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_by_own_event_set ON ONLY public.pdb_reports USING btree (own_event_set);


--
-- Name: pdb_reports_by_start; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_by_start ON ONLY public.pdb_reports USING btree (start_time);


--
-- Name: pdb_reports_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_by_time ON ONLY public.pdb_reports USING btree (producer_timestamp);


--
-- Name: pdb_reports_d20782_end_time_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_d20782_end_time_idx ON public.pdb_reports_d20782 USING btree (end_time);


--
-- Name: pdb_reports_d20782_event_set_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_d20782_event_set_idx ON public.pdb_reports_d20782 USING btree (event_set);


--
-- Name: pdb_reports_d20782_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX pdb_reports_d20782_hash ON public.pdb_reports_d20782 USING btree (hash);


--
-- Name: pdb_reports_of_node; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_of_node ON ONLY public.pdb_reports USING btree (node_id, end_time);


--
-- Name: pdb_reports_d20782_node_id_end_time_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_d20782_node_id_end_time_idx ON public.pdb_reports_d20782 USING btree (node_id, end_time);


--
-- Name: pdb_reports_d20782_own_event_set_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_d20782_own_event_set_idx ON public.pdb_reports_d20782 USING btree (own_event_set);


--
-- Name: pdb_reports_d20782_producer_timestamp_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_d20782_producer_timestamp_idx ON public.pdb_reports_d20782 USING btree (producer_timestamp);


--
-- Name: pdb_reports_d20782_start_time_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_d20782_start_time_idx ON public.pdb_reports_d20782 USING btree (start_time);


--
-- Name: pdb_reports_undated_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_undated_by_time ON public.pdb_reports_undated USING btree (producer_timestamp);


--
-- Name: pdb_reports_undated_end_time_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_undated_end_time_idx ON public.pdb_reports_undated USING btree (end_time);


--
-- Name: pdb_reports_undated_event_set_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_undated_event_set_idx ON public.pdb_reports_undated USING btree (event_set);


--
-- Name: pdb_reports_undated_of_node; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_undated_of_node ON public.pdb_reports_undated USING btree (node_id, end_time);


--
-- Name: pdb_reports_undated_own_event_set_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_undated_own_event_set_idx ON public.pdb_reports_undated USING btree (own_event_set);


--
-- Name: pdb_reports_undated_start_time_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_reports_undated_start_time_idx ON public.pdb_reports_undated USING btree (start_time);


--
-- Name: pdb_resources_by_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_resources_by_hash ON public.pdb_resources USING btree (resource);


--
-- Name: pdb_resources_by_title; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_resources_by_title ON public.pdb_resources USING btree (type, title);


--
-- Name: pdb_resources_exported; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pdb_resources_exported ON public.pdb_resources USING btree (type) WHERE (exported = true);


--
-- Name: pdb_events_d20782_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_pkey ATTACH PARTITION public.pdb_events_d20782_pkey;


--
-- Name: pdb_events_d20782_report_id_status_containing_class_resourc_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_counted ATTACH PARTITION public.pdb_events_d20782_report_id_status_containing_class_resourc_idx;


--
-- Name: pdb_events_d20782_resource_type_resource_title_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_of_resource ATTACH PARTITION public.pdb_events_d20782_resource_type_resource_title_idx;


--
-- Name: pdb_events_d20782_timestamp_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_by_time ATTACH PARTITION public.pdb_events_d20782_timestamp_idx;


--
-- Name: pdb_events_undated_by_time; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_by_time ATTACH PARTITION public.pdb_events_undated_by_time;


--
-- Name: pdb_events_undated_of_resource; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_of_resource ATTACH PARTITION public.pdb_events_undated_of_resource;


--
-- Name: pdb_events_undated_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_pkey ATTACH PARTITION public.pdb_events_undated_pkey;


--
-- Name: pdb_events_undated_report_id_status_containing_class_resour_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_events_counted ATTACH PARTITION public.pdb_events_undated_report_id_status_containing_class_resour_idx;


--
-- Name: pdb_report_documents_d20782_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_report_documents_pkey ATTACH PARTITION public.pdb_report_documents_d20782_pkey;


--
-- Name: pdb_report_documents_undated_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_report_documents_pkey ATTACH PARTITION public.pdb_report_documents_undated_pkey;


--
-- Name: pdb_reports_d20782_end_time_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_end ATTACH PARTITION public.pdb_reports_d20782_end_time_idx;


--
-- Name: pdb_reports_d20782_event_set_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_event_set ATTACH PARTITION public.pdb_reports_d20782_event_set_idx;


--
-- Name: pdb_reports_d20782_node_id_end_time_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_of_node ATTACH PARTITION public.pdb_reports_d20782_node_id_end_time_idx;


--
-- Name: pdb_reports_d20782_own_event_set_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_own_event_set ATTACH PARTITION public.pdb_reports_d20782_own_event_set_idx;


--
-- Name: pdb_reports_d20782_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_pkey ATTACH PARTITION public.pdb_reports_d20782_pkey;


--
-- Name: pdb_reports_d20782_producer_timestamp_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_time ATTACH PARTITION public.pdb_reports_d20782_producer_timestamp_idx;


--
-- Name: pdb_reports_d20782_start_time_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_start ATTACH PARTITION public.pdb_reports_d20782_start_time_idx;


--
-- Name: pdb_reports_undated_by_time; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_time ATTACH PARTITION public.pdb_reports_undated_by_time;


--
-- Name: pdb_reports_undated_end_time_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_end ATTACH PARTITION public.pdb_reports_undated_end_time_idx;


--
-- Name: pdb_reports_undated_event_set_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_event_set ATTACH PARTITION public.pdb_reports_undated_event_set_idx;


--
-- Name: pdb_reports_undated_of_node; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_of_node ATTACH PARTITION public.pdb_reports_undated_of_node;


--
-- Name: pdb_reports_undated_own_event_set_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_own_event_set ATTACH PARTITION public.pdb_reports_undated_own_event_set_idx;


--
-- Name: pdb_reports_undated_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_pkey ATTACH PARTITION public.pdb_reports_undated_pkey;


--
-- Name: pdb_reports_undated_start_time_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.pdb_reports_by_start ATTACH PARTITION public.pdb_reports_undated_start_time_idx;


--
-- PostgreSQL database dump complete
--

\unrestrict dZQ24jxuZ8ZkWwPsahcbISpob0eqwKeByvRzsl0IHtIiz31Dnq8zgvcYiIb2xnN

