.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 17
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 3
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 81
    const/16 v10, 232
    const/16 v11, 112
    const/16 v12, 228
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aput v3, v7, v8
    if-nez v4, :b1
    :b1
    :t0_start
    cmp-long v8, v5, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aput v1, v7, v8
    goto/16 :b7
    :b2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v2}, LS;->s2(LCtx;III)I
    move-result v4
    xor-int/lit8 v1, v12, 119
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s3(LCtx;III)I
    move-result v9
    if-lez v1, :b6
    :b3
    and-int/lit8 v8, v2, 3
    rem-int v4, v3, v8
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v12
    rem-int/lit16 v1, v2, 1982
    shr-int v2, v2, v3
    return v2
    nop
    :t0_end
    :b4
    add-int v4, v10, v1
    ushr-int v3, v4, v1
    and-int/lit16 v8, v1, 0x3ff
    sparse-switch v8, :sparse1
    :b5
    shl-int v3, v9, v4
    mul-int/2addr v1, v4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v2}, LS;->s4(LCtx;III)I
    move-result v2
    if-lez v1, :fuel5
    :b6
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v1, v5
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v3, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 15
    aput v3, v7, v8
    if-le v2, v2, :fuel6
    :b7
    new-instance v7, LE0;
    invoke-direct {v7, v3}, LE0;-><init>(I)V
    throw v7
    goto/32 :exit
    .catch Ljava/lang/ArrayIndexOutOfBoundsException; {:t0_start .. :t0_end} :handler8
    .catch Ljava/lang/Exception; {:t0_start .. :t0_end} :handler10
    .catchall {:t0_start .. :t0_end} :handler12
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler8
    move-exception v7
    goto/32 :fuel7
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :handler10
    move-exception v7
    goto/32 :fuel9
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :handler12
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel11
    throw v7
    :exit
    return v1
    :sparse1
    .sparse-switch
        266 -> :fuel3
        323 -> :fuel4
    .end sparse-switch
.end method

.method public static s1(LCtx;III)I
    .registers 15
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 248
    const/16 v10, -257
    :b0
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m2(LCtx;III)I
    add-int/lit8 v9, v2, 13
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v1, v5
    goto/32 :b14
    :b1
    and-int v1, v2, v2
    cmp-long v8, v5, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    if-ne v1, v3, :fuel1
    :b2
    rem-int/lit16 v4, v4, 700
    mul-int/lit8 v3, v4, -15
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v4, v5
    if-eq v4, v3, :b8
    :b3
    and-int/lit8 v2, v1, 30
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 15
    aput v3, v7, v8
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v3, v5
    add-int v10, v3, v9
    if-le v1, v2, :b12
    :b4
    sub-int/2addr v4, v3
    new-instance v7, LE0;
    invoke-direct {v7, v4}, LE0;-><init>(I)V
    throw v7
    :b5
    and-int/lit8 v8, v3, 3
    div-int v4, v9, v8
    if-ltz v1, :fuel2
    :b6
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse3
    :b7
    const v4, -1765756073
    shl-int/lit8 v2, v1, 81
    if-eq v2, v3, :b12
    :b8
    if-ltz v4, :fuel5
    :b9
    if-gtz v9, :b14
    :b10
    add-int v2, v2, v4
    :b11
    goto/16 :fuel6
    :b12
    shl-int v3, v10, v3
    ushr-int v3, v2, v4
    if-eq v4, v3, :fuel7
    :b13
    mul-int v10, v2, v10
    move/16 v9, v4
    mul-int v9, v2, v3
    if-gt v2, v2, :fuel8
    :b14
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    move-result v3
    shr-int v4, v9, v2
    xor-int/lit8 v2, v3, 118
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aget v2, v7, v8
    if-gtz v4, :fuel9
    :b15
    shr-int v3, v2, v3
    if-le v4, v1, :fuel10
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :exit
    return v1
    :sparse3
    .sparse-switch
        -17 -> :b9
    .end sparse-switch
.end method

.method public static s2(LCtx;III)I
    .registers 18
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 298
    const/16 v10, -176
    const/16 v11, 68
    const/16 v12, 139
    const/16 v13, -223
    :b0
    or-int v3, v4, v12
    xor-int v1, v3, v2
    if-nez v3, :b17
    :b1
    :t0_start
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v1, v5
    mul-int v2, v10, v4
    xor-int/2addr v3, v1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    if-ltz v2, :b3
    :b2
    and-int/lit8 v2, v11, 26
    ushr-int v10, v4, v4
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v1, v5
    mul-int v2, v3, v13
    :b3
    rem-int/lit16 v2, v3, 1770
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 15
    aget v3, v7, v8
    const-class v7, LA0;
    new-instance v7, LE0;
    invoke-direct {v7, v3}, LE0;-><init>(I)V
    throw v7
    :b4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    and-int/lit8 v8, v10, 31
    packed-switch v8, :packed1
    :b5
    sub-int v12, v11, v4
    ushr-int v1, v3, v10
    const v3, -890383855
    move/16 v11, v11
    goto :fuel5
    :b6
    cmp-long v8, v5, v5
    if-ne v1, v2, :b11
    :b7
    :t1_start
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LS;->s1(LCtx;III)I
    move-result v10
    ushr-int v3, v3, v9
    if-nez v3, :b17
    nop
    :t0_end
    :b8
    rem-int/lit16 v4, v2, 1530
    if-ge v1, v2, :b17
    nop
    :t1_end
    :b9
    rem-int/lit16 v2, v4, 1061
    shr-int v1, v3, v4
    if-lt v4, v4, :fuel6
    :b10
    and-int/lit16 v8, v2, 0x3ff
    sparse-switch v8, :sparse7
    :b11
    rem-int/lit16 v4, v2, 1669
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v2}, LS;->s4(LCtx;III)I
    move-result v9
    if-lt v4, v3, :fuel9
    :b12
    goto :fuel10
    :b13
    ushr-int v4, v10, v3
    new-instance v7, LE0;
    invoke-direct {v7, v4}, LE0;-><init>(I)V
    throw v7
    :b14
    and-int v2, v1, v3
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v2
    mul-int v2, v4, v2
    const v3, 537778996
    if-ltz v1, :fuel11
    :b15
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 7
    aget v4, v7, v8
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s5(LCtx;III)I
    move-result v4
    sub-int v1, v1, v3
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v1}, LU0;->m1(LCtx;III)I
    move-result v3
    :b16
    add-int/lit8 v9, v1, -81
    if-ge v2, v3, :fuel12
    :b17
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v13, 7
    aput v4, v7, v8
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v4
    sub-int v12, v4, v4
    add-int/lit8 v13, v4, 93
    goto/32 :exit
    .catch LE0; {:t0_start .. :t0_end} :handler14
    .catch Ljava/lang/RuntimeException; {:t1_start .. :t1_end} :handler16
    .catch Ljava/lang/ArithmeticException; {:t1_start .. :t1_end} :handler18
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :handler14
    move-exception v7
    goto/32 :fuel13
    :fuel15
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler16
    move-exception v7
    goto/32 :fuel15
    :fuel17
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :handler18
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel17
    throw v7
    :exit
    return v1
    :packed1
    .packed-switch 11
        :fuel2
        :fuel4
        :fuel3
        :fuel3
        :fuel4
        :fuel4
        :fuel4
        :fuel2
        :fuel4
        :fuel2
        :fuel4
        :fuel4
        :fuel2
        :fuel4
        :fuel3
        :fuel3
        :fuel4
        :fuel4
        :fuel3
        :fuel4
    .end packed-switch
    :sparse7
    .sparse-switch
        -33 -> :b14
        4 -> :b13
        59 -> :b13
        87 -> :fuel8
        95 -> :b13
        113 -> :b13
        133 -> :b16
        267 -> :b16
        318 -> :fuel8
        393 -> :b16
        410 -> :fuel8
        429 -> :b14
        432 -> :fuel8
        456 -> :b16
        458 -> :b14
        518 -> :b16
        574 -> :b13
        576 -> :b16
        577 -> :b16
        629 -> :b13
        682 -> :fuel8
        783 -> :fuel8
        883 -> :b13
        913 -> :b13
        943 -> :fuel8
        966 -> :b14
        980 -> :b13
        1041 -> :b13
        1048 -> :b16
        1071 -> :fuel8
    .end sparse-switch
.end method

.method public static s3(LCtx;III)I
    .registers 269
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 3
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 18
    const/16 v10, 287
    const/16 v11, 270
    const/16 v12, -115
    const/16 v13, 29
    const/16 v14, 281
    const/16 v15, 298
    const/16 v16, -138
    const/16 v17, 58
    const/16 v18, 241
    const/16 v19, -78
    const/16 v20, -16
    const/16 v21, 147
    const/16 v22, -266
    const/16 v23, -172
    const/16 v24, -211
    const/16 v25, 192
    const/16 v26, 263
    const/16 v27, -70
    const/16 v28, -247
    const/16 v29, -233
    const/16 v30, -35
    const/16 v31, 130
    const/16 v32, 116
    const/16 v33, 236
    const/16 v34, -28
    const/16 v35, 65
    const/16 v36, -260
    const/16 v37, 114
    const/16 v38, 84
    const/16 v39, -152
    const/16 v40, -36
    const/16 v41, -114
    const/16 v42, -234
    const/16 v43, 258
    const/16 v44, 243
    const/16 v45, 201
    const/16 v46, 113
    const/16 v47, -86
    const/16 v48, 236
    const/16 v49, 160
    const/16 v50, -1
    const/16 v51, -191
    const/16 v52, -233
    const/16 v53, 44
    const/16 v54, -244
    const/16 v55, 294
    const/16 v56, -145
    const/16 v57, -76
    const/16 v58, 108
    const/16 v59, 66
    const/16 v60, 59
    const/16 v61, 9
    const/16 v62, -96
    const/16 v63, 222
    const/16 v64, -234
    const/16 v65, -199
    const/16 v66, -259
    const/16 v67, 128
    const/16 v68, 230
    const/16 v69, -82
    const/16 v70, -89
    const/16 v71, 113
    const/16 v72, -276
    const/16 v73, 8
    const/16 v74, -94
    const/16 v75, 246
    const/16 v76, -134
    const/16 v77, -140
    const/16 v78, -248
    const/16 v79, -252
    const/16 v80, 160
    const/16 v81, 161
    const/16 v82, 214
    const/16 v83, 139
    const/16 v84, -106
    const/16 v85, 42
    const/16 v86, -20
    const/16 v87, 127
    const/16 v88, 38
    const/16 v89, -258
    const/16 v90, 43
    const/16 v91, -71
    const/16 v92, -80
    const/16 v93, -63
    const/16 v94, -201
    const/16 v95, -261
    const/16 v96, 111
    const/16 v97, -296
    const/16 v98, -83
    const/16 v99, 114
    const/16 v100, -267
    const/16 v101, 285
    const/16 v102, 139
    const/16 v103, 13
    const/16 v104, 82
    const/16 v105, 100
    const/16 v106, -127
    const/16 v107, -292
    const/16 v108, -138
    const/16 v109, -266
    const/16 v110, 196
    const/16 v111, 12
    const/16 v112, -290
    const/16 v113, -21
    const/16 v114, -194
    const/16 v115, -99
    const/16 v116, -295
    const/16 v117, -121
    const/16 v118, -4
    const/16 v119, -145
    const/16 v120, -25
    const/16 v121, -67
    const/16 v122, 235
    const/16 v123, -240
    const/16 v124, 239
    const/16 v125, -103
    const/16 v126, -275
    const/16 v127, 69
    const/16 v128, 132
    const/16 v129, -263
    const/16 v130, -171
    const/16 v131, 124
    const/16 v132, -200
    const/16 v133, 276
    const/16 v134, -161
    const/16 v135, -293
    const/16 v136, -162
    const/16 v137, -205
    const/16 v138, -114
    const/16 v139, -9
    const/16 v140, -66
    const/16 v141, 84
    const/16 v142, 256
    const/16 v143, -196
    const/16 v144, 60
    const/16 v145, -56
    const/16 v146, 288
    const/16 v147, -72
    const/16 v148, 269
    const/16 v149, -157
    const/16 v150, 93
    const/16 v151, -34
    const/16 v152, 21
    const/16 v153, 91
    const/16 v154, -100
    const/16 v155, 12
    const/16 v156, 60
    const/16 v157, -129
    const/16 v158, -184
    const/16 v159, -172
    const/16 v160, 175
    const/16 v161, -282
    const/16 v162, -208
    const/16 v163, -215
    const/16 v164, 223
    const/16 v165, 283
    const/16 v166, -247
    const/16 v167, 133
    const/16 v168, 130
    const/16 v169, -283
    const/16 v170, -211
    const/16 v171, 129
    const/16 v172, -272
    const/16 v173, -285
    const/16 v174, -210
    const/16 v175, -226
    const/16 v176, -235
    const/16 v177, 139
    const/16 v178, -103
    const/16 v179, -199
    const/16 v180, 190
    const/16 v181, 238
    const/16 v182, -240
    const/16 v183, -283
    const/16 v184, -254
    const/16 v185, 13
    const/16 v186, 194
    const/16 v187, -276
    const/16 v188, -71
    const/16 v189, -255
    const/16 v190, 95
    const/16 v191, 138
    const/16 v192, -160
    const/16 v193, 1
    const/16 v194, -152
    const/16 v195, -23
    const/16 v196, 282
    const/16 v197, 294
    const/16 v198, 261
    const/16 v199, 206
    const/16 v200, 13
    const/16 v201, 289
    const/16 v202, -285
    const/16 v203, 165
    const/16 v204, -267
    const/16 v205, 266
    const/16 v206, -56
    const/16 v207, 283
    const/16 v208, 94
    const/16 v209, 298
    const/16 v210, -282
    const/16 v211, -64
    const/16 v212, 144
    const/16 v213, -127
    const/16 v214, 120
    const/16 v215, 70
    const/16 v216, -149
    const/16 v217, -283
    const/16 v218, -83
    const/16 v219, 148
    const/16 v220, 168
    const/16 v221, -45
    const/16 v222, 59
    const/16 v223, -224
    const/16 v224, -131
    const/16 v225, 84
    const/16 v226, -83
    const/16 v227, -143
    const/16 v228, 159
    const/16 v229, -67
    const/16 v230, -57
    const/16 v231, 51
    const/16 v232, 251
    const/16 v233, -144
    const/16 v234, -229
    const/16 v235, 158
    const/16 v236, 190
    const/16 v237, -86
    const/16 v238, -90
    const/16 v239, -54
    const/16 v240, -180
    const/16 v241, -289
    const/16 v242, 33
    const/16 v243, 211
    const/16 v244, 115
    const/16 v245, -299
    const/16 v246, 130
    const/16 v247, 125
    const/16 v248, -224
    const/16 v249, -276
    const/16 v250, -287
    const/16 v251, 181
    const/16 v252, 262
    const/16 v253, 244
    const/16 v254, 114
    const/16 v255, -156
    move/16 v256, v1
    move/16 v257, v2
    move/16 v258, v3
    move/16 v259, v1
    move/16 v260, v2
    move/16 v261, v3
    move/16 v262, v3
    move/16 v263, v2
    move/16 v264, v4
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    if-eq v4, v3, :b3
    :b1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aget v253, v7, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v171, 7
    aput v2, v7, v8
    return v51
    :b2
    shl-int v2, v95, v3
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v3}, LS;->s1(LCtx;III)I
    move-result v75
    shl-int v119, v57, v58
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    move-result v4
    if-gt v4, v4, :b6
    :b3
    move/16 v156, v90
    move/16 v244, v142
    move/16 v223, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v2
    goto/32 :b13
    :b4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    xor-int/lit8 v198, v254, 21
    shr-int v4, v221, v228
    const v235, 1015893417
    and-int/lit8 v8, v1, 31
    packed-switch v8, :packed1
    :b5
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v2, v5
    cmp-long v8, v5, v5
    shl-int v190, v4, v2
    shl-int v2, v3, v1
    return v4
    :b6
    or-int v2, v93, v3
    :b7
    xor-int/lit8 v73, v24, 17
    :b8
    mul-int/2addr v3, v4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s2(LCtx;III)I
    move-result v49
    if-ne v4, v2, :b13
    :b9
    return v4
    :b10
    move/16 v25, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v171, 15
    aget v4, v7, v8
    const v146, -1250266691
    goto/16 :fuel4
    :b11
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v1
    and-int/lit8 v8, v2, 31
    packed-switch v8, :packed5
    :b12
    add-int v3, v2, v32
    if-eq v3, v3, :fuel9
    :b13
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    if-gez v3, :fuel10
    :b14
    if-le v1, v3, :fuel11
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :exit
    return v1
    :packed1
    .packed-switch 17
        :fuel2
        :fuel2
        :fuel3
    .end packed-switch
    :packed5
    .packed-switch 5
        :fuel6
        :fuel6
        :fuel8
    .end packed-switch
.end method

.method public static s4(LCtx;III)I
    .registers 37
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -247
    const/16 v10, -178
    const/16 v11, -71
    const/16 v12, 216
    const/16 v13, -57
    const/16 v14, 139
    const/16 v15, 232
    const/16 v16, 90
    const/16 v17, 286
    const/16 v18, 146
    const/16 v19, 295
    const/16 v20, -28
    const/16 v21, 247
    const/16 v22, -222
    const/16 v23, -191
    const/16 v24, -239
    const/16 v25, 286
    const/16 v26, -92
    const/16 v27, -124
    const/16 v28, 98
    const/16 v29, -72
    const/16 v30, -43
    const/16 v31, -53
    const/16 v32, -189
    :b0
    move/16 v27, v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v23, 7
    aput v3, v7, v8
    move/16 v27, v3
    :b1
    and-int/lit8 v8, v27, 3
    div-int v21, v32, v8
    xor-int v9, v4, v4
    shr-int v2, v3, v1
    if-gt v1, v2, :b14
    :b2
    if-lt v4, v3, :b4
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aput v1, v7, v8
    shl-int/lit8 v4, v31, 105
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aput v4, v7, v8
    if-le v2, v1, :fuel1
    :b4
    goto/32 :b13
    :b5
    and-int/lit8 v8, v4, 31
    packed-switch v8, :packed2
    :b6
    if-eqz v28, :fuel5
    :b7
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aget v2, v7, v8
    if-ne v1, v4, :b10
    :b8
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v4, v5
    shr-int v1, v2, v3
    goto/16 :b11
    :b9
    xor-int v1, v4, v4
    mul-int v3, v1, v13
    move/16 v13, v2
    :b10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v16, 7
    aget v1, v7, v8
    or-int v27, v1, v3
    and-int v24, v20, v18
    if-ltz v1, :b14
    :b11
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v1, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    mul-int/lit8 v2, v15, -122
    mul-int/2addr v1, v4
    and-int/lit8 v8, v1, 31
    packed-switch v8, :packed6
    :b12
    if-lt v4, v3, :fuel8
    :b13
    :b14
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v4}, LU0;->m0(LCtx;III)I
    mul-int v4, v4, v21
    move/16 v10, v15
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v23, 15
    aget v1, v7, v8
    if-lez v2, :fuel9
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b13
    :exit
    return v1
    :packed2
    .packed-switch -2
        :b13
        :b9
        :b9
        :fuel4
        :b13
        :fuel3
        :fuel3
        :b13
        :fuel3
        :fuel4
        :b13
        :fuel4
        :fuel4
        :fuel3
        :b9
        :fuel3
        :b9
        :fuel4
        :fuel4
        :fuel4
    .end packed-switch
    :packed6
    .packed-switch 13
        :fuel7
    .end packed-switch
.end method

.method public static s5(LCtx;III)I
    .registers 53
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 3
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -245
    const/16 v10, 80
    const/16 v11, -214
    const/16 v12, 86
    const/16 v13, -94
    const/16 v14, -193
    const/16 v15, -59
    const/16 v16, -209
    const/16 v17, -177
    const/16 v18, 147
    const/16 v19, -188
    const/16 v20, 197
    const/16 v21, -299
    const/16 v22, -88
    const/16 v23, 42
    const/16 v24, -167
    const/16 v25, -276
    const/16 v26, 89
    const/16 v27, -27
    const/16 v28, -171
    const/16 v29, 72
    const/16 v30, 298
    const/16 v31, -244
    const/16 v32, 32
    const/16 v33, 73
    const/16 v34, -186
    const/16 v35, -219
    const/16 v36, 3
    const/16 v37, 298
    const/16 v38, 248
    const/16 v39, -153
    const/16 v40, -281
    const/16 v41, 182
    const/16 v42, 106
    const/16 v43, 89
    const/16 v44, 37
    const/16 v45, 260
    const/16 v46, 285
    const/16 v47, -90
    const/16 v48, -210
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v46, 7
    aget v46, v7, v8
    if-eq v3, v3, :b2
    :b1
    goto/32 :fuel1
    :b2
    if-gt v2, v3, :fuel2
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :exit
    return v1
.end method

