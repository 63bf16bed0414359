"""A SAML identity provider by pysaml2: reads one job as JSON, and writes what it answers.

The job: key and cert (files), receiver_id and receiver (metadata as XML), query (of the URL that the browser was sent to), encrypts,
identity (attributes by name), name_id.
"""

import json
import sys
import tempfile
from urllib.parse import parse_qs

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature

job = json.load(sys.stdin)
with tempfile.NamedTemporaryFile("w", suffix=".xml") as metadata:
    metadata.write(job["receiver"])
    metadata.flush()
    config = IdPConfig()
    config.load({
        "entityid": job["entity_id"],
        "key_file": job["key"],
        "cert_file": job["cert"],
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "encryption_keypairs": [{"key_file": job["key"], "cert_file": job["cert"]}],
        "metadata": {"local": [metadata.name]},
        "service": {
            "idp": {
                "endpoints": {"single_sign_on_service": [(job["sso_url"], BINDING_HTTP_REDIRECT)]},
                "name_id_format": [NAMEID_FORMAT_PERSISTENT],
                "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:uri"}},
            }
        },
    })
    server = Server(config=config)
    query = {name: values[0] for name, values in parse_qs(job["query"]).items()}
    # This version checks signatures of requests by redirect where it is asked to, and not by itself.
    [certificate] = server.metadata.certs(job["receiver_id"], "spsso", use="signing")
    if not verify_redirect_signature(query, server.sec.sec_backend, certificate):
        sys.exit("the request is not signed as the metadata of the receiver say")
    request = server.parse_authn_request(query["SAMLRequest"], BINDING_HTTP_REDIRECT)
    wanted = server.response_args(request.message, [BINDING_HTTP_POST])
    response = server.create_authn_response(
        identity=job["identity"],
        userid=job["name_id"],
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=job["name_id"]),
        authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport", "authn_auth": job["entity_id"]},
        sign_response=True,
        sign_assertion=True,
        encrypt_assertion=job["encrypts"],
        sign_alg="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        digest_alg="http://www.w3.org/2001/04/xmlenc#sha256",
        **wanted,
    )
    json.dump({"response": str(response), "destination": wanted["destination"]}, sys.stdout)
